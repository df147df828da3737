/** Reloading the lists of lite servers on SIGHUP. */
import { coalesced } from "@chain-query/format/async";
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
    const { readLiteConfig } = await import("@chain-query/lite");
    await network.replace(connectTo(readLiteConfig(lite), network.client));
    log.info({ servers: servers().length }, "reading from the lite servers of the new file");
  };
  return coalesced(() => reload().catch((error: unknown) => log.error({ reason: messageOf(error) }, reloadFailed)));
}
