/** Reloading the lists of lite servers on SIGHUP, with one list for all workers. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiteHead } from "@chain-query/lite-client";
import type { Logger } from "pino";
import { messageOf } from "../failure.ts";
import type { LiteOptions, ServeOptions } from "../serve-options.ts";
import type { LiteConfig } from "../sources/lite-network.ts";
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

/**
 * Returns the reload of a process that answers requests: it reads the files again and continues with the new servers.
 *
 * @param isWorker - Whether the primary has checked the files, and has begun the era for all workers.
 */
export function processReload(
  { network, servers, connectTo }: OpenLiteServers,
  isWorker: boolean,
  { lite, tips, log }: Reload,
): () => Promise<void> {
  return logged(log, async () => {
    const { readLiteConfig } = await import("../sources/lite-network.ts");
    const served = isWorker ? undefined : tips?.newest(undefined)?.tip;
    const other = await network.replace(connectTo(readLiteConfig(lite), network.client), isWorker, served);
    if (isWorker) tips?.join();
    else if (tips !== undefined && other?.isContinued === false) startOver(tips, served, other.head, log);
    log.info({ servers: servers().length }, "reading from the lite servers of the new file");
  });
}

/** The parts of a service with workers, for its reload. */
interface Workers {
  readonly options: ServeOptions;
  readonly config: LiteConfig;
  readonly shared: SharedFolder;
  readonly isStopping: () => boolean;
  /** Makes all workers read the copies again. */
  readonly reload: () => Promise<void>;
}

/** Returns the reload of a service with workers: the primary decides for all of them, those included that start later. */
export function serviceReload(
  { options, config, shared, isStopping, reload }: Workers,
  { lite, tips, log }: Reload,
): () => Promise<void> {
  return logged(log, async () => {
    const { connect, readLiteConfig, requireHead } = await import("../sources/lite-network.ts");
    const next = readLiteConfig(lite);
    const { client } = connect(next, lite, options, () => {});
    const served = tips?.newest(undefined)?.tip;
    const { zeroState } = config.servers;
    const { head, isContinued } = await requireHead(client, zeroState, served).finally(() => client.close());
    if (isStopping()) return;
    // Before the era: a worker that starts meanwhile and joins it must not read the old list.
    shared.write(next);
    if (tips !== undefined && !isContinued) startOver(tips, served, head, log);
    await reload();
  });
}

function logged(log: Logger, reload: () => Promise<void>): () => Promise<void> {
  return coalesceRuns(() => reload().catch((error: unknown) => log.error({ reason: messageOf(error) }, reloadFailed)));
}

/** Begins an era with the head of other servers, which do not have the head that was served in their history. */
function startOver(tips: NewestTips<LiteHead>, served: LiteHead | undefined, head: LiteHead, log: Logger): void {
  tips.begin({ tip: head, consensus: head });
  const seqnos = { served: served?.block.seqno, seqno: head.block.seqno };
  log.warn(seqnos, "the newest block so far is not in the chain of the new lite servers, starting over from theirs");
}

/** A temporary folder that the workers share, with validated copies of the lists and the newest chain tip. */
export interface SharedFolder {
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
