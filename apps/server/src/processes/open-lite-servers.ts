/** Connects a process to the lite servers of its options. Loads their modules only then. */
import { statusLine } from "@chain-query/command-line";
import type { LiteClient, LiteConfig, LiteEvent, LiteServerStatus } from "@chain-query/lite";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { LiteOptions, ServeOptions } from "../serve-options.ts";
import type { connect, LiteNetwork } from "../sources/lite-network.ts";

/** Lite servers in a process. */
export interface OpenLiteServers {
  readonly network: LiteNetwork;
  readonly servers: () => readonly LiteServerStatus[];
  /** Connects to other servers of the network, which a former client has read. */
  readonly connectTo: (config: LiteConfig, former?: LiteClient) => ReturnType<typeof connect>;
}

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
  const connectTo: OpenLiteServers["connectTo"] = (config, former) => connect(config, lite, options, onEvent, former);
  const showSync = liteSyncStatus(statusLine(process.stderr));
  const network = new LiteNetwork(connectTo(readLiteConfig(lite)), (problem) => {
    if (problem === undefined) log.info("lite servers are connected, answering again");
    else log.error({ reason: problem }, "no lite server can be read, operations respond with 542");
  });
  const servers = (): readonly LiteServerStatus[] => network.servers;
  const seqno = (): number | undefined => network.client.head?.block.seqno;
  const count = addLiteMetrics(registry, servers, seqno, () => network.client.problem);
  return { network, servers, connectTo };
}
