/** Reloading the lists of lite servers on SIGHUP. */
import type { LiteHead } from "@chain-query/lite-client";
import type { Logger } from "pino";
import { messageOf } from "../failure.ts";
import type { LiteOptions } from "../serve-options.ts";
import type { NewestTips } from "../sources/newest-tips.ts";
import type { OpenLiteServers } from "./open-lite-servers.ts";

/** The log message of a list that cannot be used. */
export const reloadFailed = "the new lite servers cannot be used, keeping the old ones";

/** The state that a reload needs. */
interface Reload {
  /** The files. */
  readonly lite: LiteOptions;
  /** The tips of a service without an index, which go back if the new servers are of another chain. */
  readonly tips?: NewestTips<LiteHead> | undefined;
  readonly log: Logger;
}

/** Returns the reload of the service: it reads the files again and continues with the new servers. */
export function processReload(
  { network, servers, connectTo }: OpenLiteServers,
  { lite, tips, log }: Reload,
): () => Promise<void> {
  const reload = async (): Promise<void> => {
    const { readLiteConfig } = await import("../sources/lite-network.ts");
    const served = tips?.newest(undefined)?.tip;
    const other = await network.replace(connectTo(readLiteConfig(lite), network.client), served);
    if (tips !== undefined && !other.isContinued) startOver(tips, served, other.head, log);
    log.info({ servers: servers().length }, "reading from the lite servers of the new file");
  };
  return coalesceRuns(() => reload().catch((error: unknown) => log.error({ reason: messageOf(error) }, reloadFailed)));
}

/** Begins an era with the head of other servers, which do not have the head that was served in their history. */
function startOver(tips: NewestTips<LiteHead>, served: LiteHead | undefined, head: LiteHead, log: Logger): void {
  tips.begin({ tip: head, consensus: head });
  const seqnos = { served: served?.block.seqno, seqno: head.block.seqno };
  log.warn(seqnos, "the newest block so far is not in the chain of the new lite servers, starting over from theirs");
}

/**
 * Returns a function that runs a task, one run at a time. Calls share a run that has not begun, so a complete run follows each call, and at
 * most two runs follow many calls.
 *
 * @param run - Must not reject.
 */
export function coalesceRuns(run: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= last = last.then(() => {
      waiting = undefined;
      return run();
    });
    return waiting;
  };
}
