/** Reads from lite servers with recent blocks, and what they do not have from archival ones. */

import { isMissingSomewhere, type LiteClient } from "@chain-query/lite";

/** Steps after a missing one that are read from archival servers at once. */
const OLD_STEPS = 100;
/** The newest steps of the chain, which never are: a server that is not ready lacks them for a short time only. */
const NEWEST_STEPS = 100;

/**
 * Reads a part of a step.
 *
 * @param run - Called with `archival` if other servers do not have this part, or lately did not have parts of such old steps.
 */
export type ReadPart = <Result>(seqno: number, run: (archival: boolean) => Promise<Result>) => Promise<Result>;

export function archiveReads(client: Pick<LiteClient, "servers" | "head">): ReadPart {
  let newestOld = -1;
  return async (seqno, run) => {
    if (seqno > newestOld) {
      try {
        return await run(false);
      } catch (error) {
        if (!isMissingSomewhere(error) || !client.servers.some(({ archival }) => archival)) throw error;
      }
    }
    const result = await run(true);
    if (seqno <= newestOld) return result;
    const head = client.head?.block.seqno ?? 0;
    newestOld = Math.max(newestOld, Math.min(seqno + OLD_STEPS, head - NEWEST_STEPS));
    return result;
  };
}
