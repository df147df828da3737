/** The whole service: the producer, the processes that answer, and their orderly end. */
import type { Logger } from "pino";
import { Counter, Registry } from "prom-client";
import { ownLimiter } from "../limits/limiter.ts";
import { createLog } from "../operating/log.ts";
import type { ServeOptions } from "../serve-options.ts";
import { hasChain } from "../sources/chain-folder.ts";
import { startNode } from "./node.ts";
import { type Production, startProduction } from "./production.ts";
import { startTeam } from "./team.ts";

/** A service that runs. */
export interface Service {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Drains, ends the producer at a block's boundary, and closes the store. Calling it again does no harm. */
  close(): Promise<void>;
}

/** What a person may be told while a chain is made. */
export type OnProgress = (step: number, of: number) => void;

/**
 * Starts the service, and makes a chain first where there is none.
 *
 * @throws StartError, ChainStoreError or KeyStoreError where it cannot be run so, in words for the operator.
 *
 * @example
 * ```ts
 * const service = await serve(options);
 * const answer = await fetch(`${service.url}/api/v2/getMasterchainInfo`);
 * await service.close();
 * ```
 */
export async function serve(options: ServeOptions, onProgress?: OnProgress): Promise<Service> {
  const log = createLog(options.logLevel, "primary");
  const { chain, seed, blockInterval, produce } = options;
  const production = produce ? startProduction({ chain, seed, blockInterval, goOn: true }, log, onProgress) : undefined;
  let answering: { readonly url: string; close(): Promise<void> } | undefined;
  const close = async (): Promise<void> => {
    await answering?.close();
    await production?.stop();
  };
  try {
    // A chain that is there can be answered from while the producer opens it.
    if (!hasChain(chain)) await production?.ready;
    answering = await startAnswering(options, log, production);
    // Nobody is told of a service that is about to end, because another makes the blocks.
    await production?.ready;
    log.info({ url: answering.url, chain, workers: options.workers }, "answering");
    let closing: Promise<void> | undefined;
    return { url: answering.url, close: () => (closing ??= close()) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startAnswering(
  options: ServeOptions,
  log: Logger,
  production: Production | undefined,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const registry = new Registry();
  const restarts = { producer: () => production?.restarts() ?? 0, worker: () => 0 };
  new Counter({
    name: "chain_query_restarts_total",
    help: "Processes that ended and were started again",
    labelNames: ["process"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [name, count] of Object.entries(restarts)) this.inc({ process: name }, count());
    },
  });
  const ownMetrics = (): Promise<string> => registry.metrics();
  if (options.workers === 1) {
    const metricsText = async (node: Registry): Promise<string> => `${await node.metrics()}\n${await ownMetrics()}`;
    return startNode(options, { number: 0, limiter: ownLimiter, log, metricsText });
  }
  const team = await startTeam(options, log, ownMetrics);
  restarts.worker = team.restarts;
  return team;
}
