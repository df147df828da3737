/** Reloading the lists of lite servers on SIGHUP. */
import type { Logger } from "pino";
import { messageOf } from "../failure.ts";
import type { LiteOptions } from "../serve-options.ts";
import type { OpenLiteServers } from "./open-lite-servers.ts";

/** The log message of a list that cannot be used. */
export const reloadFailed = "the new lite servers cannot be used, keeping the old ones";

/** Returns the reload of the service: it reads the files again and continues with the new servers. */
export function processReload(
  { network, servers, connectTo }: OpenLiteServers,
  lite: LiteOptions,
  log: Logger,
): () => Promise<void> {
  const reload = async (): Promise<void> => {
    const { readLiteConfig } = await import("../sources/lite-network.ts");
    await network.replace(connectTo(readLiteConfig(lite), network.client));
    log.info({ servers: servers().length }, "reading from the lite servers of the new file");
  };
  return coalesceRuns(() => reload().catch((error: unknown) => log.error({ reason: messageOf(error) }, reloadFailed)));
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
