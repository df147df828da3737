/** Reloading the lists of lite servers on SIGHUP, with one list for all workers. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiteHead } from "@chain-query/lite-client";
import type { Logger } from "pino";
import type { LiteOptions } from "../serve-options.ts";
import type { LiteConfig } from "../sources/lite-network.ts";
import type { NewestTips } from "../sources/newest-tips.ts";

/** The log message of a list that cannot be used. */
export const reloadFailed = "the new lite servers cannot be used, keeping the old ones";

/** Begins an era with the head of other servers, which do not have the head that was served in their history. */
export function startOver(tips: NewestTips<LiteHead>, served: LiteHead | undefined, head: LiteHead, log: Logger): void {
  tips.begin({ tip: head, consensus: head });
  const seqnos = { served: served?.block.seqno, seqno: head.block.seqno };
  log.warn(seqnos, "the newest block so far is not in the chain of the new lite servers, starting over from theirs");
}

/** A temporary folder that the workers share, with validated copies of the lists and the newest chain tip. */
interface SharedFolder {
  readonly path: string;
  /** The paths of the copies, so that a restarted worker does not read a list while the operator edits it. */
  readonly copies: Pick<LiteOptions, "servers" | "archival">;
  /** Replaces the copies. Workers that start later use them. */
  write(config: LiteConfig): void;
  remove(): void;
}

/** Creates the folder. */
export function createSharedFolder({ archival }: LiteOptions, config: LiteConfig): SharedFolder {
  const path = mkdtempSync(join(tmpdir(), "chain-query-network-"));
  const copies = {
    servers: join(path, "servers.json"),
    archival: archival === undefined ? undefined : join(path, "archival.json"),
  };
  const write = ({ texts }: LiteConfig): void => {
    replace(copies.servers, texts.servers);
    replace(copies.archival, texts.archival);
  };
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    write(config);
  } catch (error) {
    remove();
    throw error;
  }
  return { path, copies, write, remove };
}

/** Replaces a file atomically. */
function replace(copy: string | undefined, text: string | undefined): void {
  if (copy === undefined || text === undefined) return;
  writeFileSync(`${copy}.new`, text);
  renameSync(`${copy}.new`, copy);
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
