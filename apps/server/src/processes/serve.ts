/** Starts and stops the whole service: the block producer, and the process that answers requests, which is this one. */
import type { GlobalConfig } from "@chain-query/lite";
import { redactUrl } from "@chain-query/postgres-store/connection-url";
import type { Logger } from "pino";
import { messageOf } from "../failure.ts";
import { createLog } from "../observability/log.ts";
import type { IndexOptions, LiteOptions, NetworkOptions, ServeOptions } from "../serve-options.ts";
import { hasChain, readIdentity } from "../sources/chain-identity.ts";
import type { LiteConfig } from "../sources/lite-network.ts";
import { checkAddress } from "./listen.ts";
import { type Service, startNode } from "./node.ts";
import { ProducerSupervisor } from "./producer-supervisor.ts";

export type { Service } from "./node.ts";

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
  const { source } = options;
  if (source.kind === "network") return serveNetwork(options, source, log, signal);
  if (source.kind === "index") return serveIndex(options, source, log, signal);
  const { folder: chain, blockInterval, produce } = source;
  // An existing chain can be read while the producer opens it.
  const existing = hasChain(chain) ? await readIdentity(chain) : undefined;
  if (existing === undefined && produce) {
    // Creating a chain takes seconds, after which the address would be refused.
    await checkAddress(options);
    if (options.adminAddress !== undefined) await checkAddress(options.adminAddress);
    log.info({ chain }, "creating a chain");
  }
  const task = { chain, blockInterval, ...(existing === undefined ? {} : { identity: existing }) };
  const producer = produce ? new ProducerSupervisor(task, log) : undefined;
  const stopProducer = (): void => void producer?.stop();
  signal?.addEventListener("abort", stopProducer);
  let listening: Service | undefined;
  // Both at once: a signal for all processes of the service ends the producer too, which must not be restarted meanwhile.
  const close = async (): Promise<void> => {
    await Promise.all([listening?.close(), producer?.stop()]);
  };
  try {
    const identity = await (existing ?? producer?.ready ?? readIdentity(chain));
    signal?.throwIfAborted();
    listening = await startNode(options, { identity, log, producerRestarts: () => producer?.restarts ?? 0 });
    // Wait for the producer: it fails if another process holds the write lock.
    await producer?.ready;
    signal?.throwIfAborted();
    log.info({ url: listening.url, adminUrl: listening.adminUrl, chain }, "listening");
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

/** Answers from a live network. The service starts also if no lite server can be reached. */
async function serveNetwork(
  options: ServeOptions,
  given: NetworkOptions,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<Service> {
  const { servers } = await readLists(given, log);
  const lite = await withAnchor(given, servers, log);
  return startReading({ ...options, source: lite }, { servers: servers.servers.length }, log, signal);
}

/** Starts on a source that others write. */
async function startReading(
  options: ServeOptions,
  details: Readonly<Record<string, unknown>>,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<Service> {
  try {
    const service = await startNode(options, { identity: undefined, log, signal });
    log.info({ url: service.url, adminUrl: service.adminUrl, ...details }, "listening");
    if (signal?.aborted === true) await service.close();
    signal?.throwIfAborted();
    return service;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Reads the files of lite servers, and warns of what is suspicious in them. */
async function readLists(lite: LiteOptions, log: Logger): Promise<LiteConfig> {
  const { readLiteConfig } = await import("../sources/lite-network.ts");
  const config = readLiteConfig(lite);
  for (const warning of [...config.servers.warnings, ...(config.archival?.warnings ?? [])])
    log.warn({ warning }, "suspicious list of lite servers");
  return config;
}

/** Names the file of the anchor, if there is a place for it. */
async function withAnchor<Options extends LiteOptions>(lite: Options, config: GlobalConfig, log: Logger): Promise<Options> {
  const { defaultAnchor } = await import("@chain-query/lite");
  const { anchor, state } = lite;
  if (anchor !== undefined) return lite;
  try {
    if (state !== undefined) return { ...lite, anchor: defaultAnchor(state, config) };
    log.warn(noAnchor);
  } catch (error) {
    log.warn({ reason: messageOf(error) }, noAnchor);
  }
  return lite;
}

const noAnchor =
  "there is no folder for the anchor, so each start verifies all signatures since the init_block; name a file with --lite-anchor";

/** The databases and lite servers of an index, for the log: variables that name them may be left from another service. */
export function sourcesOf({ primary, replicas, lite }: IndexOptions): Readonly<Record<string, unknown>> {
  const databases = [primary, ...replicas].map(redactUrl);
  return { databases, ...(lite && { liteServers: lite.servers, liteArchival: lite.archival }) };
}

/** Answers from an index. */
async function serveIndex(
  options: ServeOptions,
  postgres: IndexOptions,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<Service> {
  const config = postgres.lite && (await readLists(postgres.lite, log));
  const lite = postgres.lite && config && (await withAnchor(postgres.lite, config.servers, log));
  return startReading({ ...options, source: { ...postgres, lite } }, sourcesOf(postgres), log, signal);
}
