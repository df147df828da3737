/** Connects a process to the lite servers of its options. Loads their modules only then. */
import { statusLine } from "@chain-query/command-line";
import { coalesced } from "@chain-query/format/async";
import type { LiteClient, LiteEvent, LiteServerStatus } from "@chain-query/lite";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { messageOf } from "../failure.ts";
import type { LiteOptions, ServeOptions } from "../serve-options.ts";
import type { LiteNetwork } from "../sources/lite-network.ts";

export interface OpenLiteServers {
  readonly network: LiteNetwork;
  readonly servers: () => readonly LiteServerStatus[];
  /** Reads the files again, and continues with the servers that they name. */
  readonly reload: () => Promise<void>;
}

/** The log message of a list that cannot be used. */
export const reloadFailed = "the new lite servers cannot be used, keeping the old ones";

/** @throws StartError with a line for the operator. */
export async function openLiteServers(
  lite: LiteOptions,
  options: ServeOptions,
  log: Logger,
  registry: Registry,
): Promise<OpenLiteServers> {
  const { liteSyncStatus, readLiteConfig } = await import("@chain-query/lite");
  const { addLiteMetrics } = await import("@chain-query/lite/metrics");
  const { connect, LiteNetwork, liteEventLog } = await import("../sources/lite-network.ts");
  const logEvent = liteEventLog(log);
  const onEvent = (event: LiteEvent): void => {
    logEvent(event);
    showSync(event);
    count(event);
  };
  const connectTo = (former?: LiteClient) => connect(readLiteConfig(lite), lite, options, onEvent, former);
  const showSync = liteSyncStatus(statusLine(process.stderr));
  const network = new LiteNetwork(connectTo(), (problem) => {
    if (problem === undefined) log.info("lite servers are connected, answering again");
    else log.error({ reason: problem }, "no lite server can be read, operations respond with 542");
  });
  const servers = (): readonly LiteServerStatus[] => network.servers;
  const seqno = (): number | undefined => network.client.head?.block.seqno;
  const count = addLiteMetrics(registry, servers, seqno, () => network.client.problem);
  const replace = async (): Promise<void> => {
    await network.replace(connectTo(network.client));
    log.info({ servers: servers().length }, "reading from the lite servers of the new file");
  };
  const reload = () => replace().catch((error: unknown) => log.error({ reason: messageOf(error) }, reloadFailed));
  return { network, servers, reload: coalesced(reload) };
}
