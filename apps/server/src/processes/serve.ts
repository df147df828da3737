/** Starts and stops the whole service: the block producer, and the process that answers requests, which is this one. */
import { redactUrl } from "@chain-query/postgres-store/connection-url";
import type { Logger } from "pino";
import { createLog } from "../observability/log.ts";
import {
  type ChainOptions,
  type IndexOptions,
  type LiteOptions,
  liteServersOf,
  type ServeOptions,
  type SourceOptions,
} from "../serve-options.ts";
import { type ChainIdentity, hasChain, readIdentity } from "../sources/chain-identity.ts";
import { type Service, startHttpProcess } from "./http-process.ts";
import { checkAddress } from "./listen.ts";
import { ProducerSupervisor } from "./producer-supervisor.ts";

export type { Service } from "./http-process.ts";

/**
 * Starts the service. Creates the chain first if it is absent.
 *
 * @param signal - Stops the start: the promise rejects with the signal's reason when everything is closed. Ignored after the start.
 * @throws ChainStoreError or StartError with a line for the operator.
 *
 * @example
 * ```ts
 * const service = await serve(options);
 * const response = await fetch(`${service.url}/api/v2/getMasterchainInfo`);
 * await service.close();
 * ```
 */
export async function serve(options: ServeOptions, signal?: AbortSignal): Promise<Service> {
  signal?.throwIfAborted();
  const log = createLog(options.logLevel);
  const chain = options.source.kind === "chain" ? options.source : undefined;
  // An existing chain can be read while the producer opens it.
  const existing = chain && hasChain(chain.folder) ? await readIdentity(chain.folder) : undefined;
  const producer = chain?.produce ? await startProducer(options, chain, existing, log) : undefined;
  const stopProducer = (): void => void producer?.stop();
  signal?.addEventListener("abort", stopProducer);
  let listening: Service | undefined;
  // Both at once: a signal for all processes of the service ends the producer too, which must not be restarted meanwhile.
  const close = async (): Promise<void> => {
    await Promise.all([listening?.close(), producer?.stop()]);
  };
  try {
    const identity = chain && (await (existing ?? producer?.ready ?? readIdentity(chain.folder)));
    signal?.throwIfAborted();
    const { source, details } = await prepared(options.source, log);
    listening = await startHttpProcess(
      { ...options, source },
      { identity, log, signal, producerRestarts: () => producer?.restarts ?? 0 },
    );
    // Wait for the producer: it fails if another process holds the write lock.
    await producer?.ready;
    signal?.throwIfAborted();
    log.info({ url: listening.url, adminUrl: listening.adminUrl, ...details }, "listening");
    let closing: Promise<void> | undefined;
    return { ...listening, close: () => (closing ??= close()) };
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stopProducer);
  }
}

async function startProducer(
  options: ServeOptions,
  { folder: chain, blockInterval }: ChainOptions,
  identity: ChainIdentity | undefined,
  log: Logger,
): Promise<ProducerSupervisor> {
  if (identity === undefined) {
    // Creating a chain takes seconds, after which the address would be refused.
    await checkAddress(options);
    if (options.adminAddress !== undefined) await checkAddress(options.adminAddress);
    log.info({ chain }, "creating a chain");
  }
  return new ProducerSupervisor({ chain, blockInterval, ...(identity && { identity }) }, log);
}

/** The source with the file of its anchor, and what the log says of it. */
async function prepared(source: SourceOptions, log: Logger) {
  if (source.kind === "chain") return { source, details: { chain: source.folder } };
  const given = liteServersOf(source);
  const lite = given && (await withAnchor(given, log));
  if (source.kind === "network") return { source: { ...source, ...lite?.options }, details: { servers: lite?.servers } };
  return { source: { ...source, lite: lite?.options }, details: sourcesOf(source) };
}

/** Reads the files of lite servers, warns of what is suspicious in them, and names the file of the anchor, if there is a place for it. */
async function withAnchor(lite: LiteOptions, log: Logger) {
  const { anchorFileOf, readLiteConfig } = await import("@chain-query/lite");
  const config = readLiteConfig(lite);
  for (const warning of [...config.servers.warnings, ...(config.archival?.warnings ?? [])])
    log.warn({ warning }, "suspicious list of lite servers");
  const anchor = anchorFileOf(lite, config, (message, reason) => log.warn({ reason }, message));
  return { options: { ...lite, anchor }, servers: config.servers.servers.length };
}

/** The databases and lite servers of an index, for the log: variables that name them may be left from another service. */
export function sourcesOf({ primary, replicas, lite }: IndexOptions): Readonly<Record<string, unknown>> {
  const databases = [primary, ...replicas].map(redactUrl);
  return { databases, ...(lite && { liteServers: lite.servers, liteArchival: lite.archival }) };
}
