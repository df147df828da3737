/** Starts and stops the whole service: the block producer, and the processes that answer requests. */
import cluster from "node:cluster";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GlobalConfig, LiteHead } from "@chain-query/lite-client";
import { redactUrl } from "@chain-query/postgres-store/connection-url";
import type { Logger } from "pino";
import { Counter, Registry } from "prom-client";
import { messageOf, StartError } from "../failure.ts";
import { memoryLimiter } from "../limits/limiter.ts";
import { addLogMetrics, createLog } from "../observability/log.ts";
import type { IndexOptions, LiteOptions, NetworkOptions, ServeOptions } from "../serve-options.ts";
import { hasChain, readIdentity } from "../sources/chain-identity.ts";
import type { LiteConfig } from "../sources/lite-network.ts";
import { startCluster } from "./cluster.ts";
import { checkAddress } from "./listen.ts";
import { createSharedFolder, serviceReload } from "./lite-reload.ts";
import { startNode } from "./node.ts";
import type { SourceSetting } from "./open-source.ts";
import { ProducerSupervisor } from "./producer-supervisor.ts";

/** A running service. */
export interface Service {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Of status and metrics, if they have an address of their own. */
  readonly adminUrl: string | undefined;
  /** Reads the files of lite servers again. If they cannot be used, the log says why and the servers stay what they were. */
  reload(): Promise<void>;
  /** Finishes the requests in progress, ends the block producer between two blocks, and closes the store. Can be called again. */
  close(): Promise<void>;
}

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
  checkCluster(options);
  const log = createLog(options.logLevel, "primary");
  const { source } = options;
  if (source.kind === "network") return serveNetwork(options, source, log, signal);
  if (source.kind === "index") return serveIndex(options, source, log, signal);
  const { folder: chain, seed, blockInterval, produce } = source;
  // An existing chain can be read while the producer opens it.
  const existing = hasChain(chain) ? await readIdentity(chain) : undefined;
  if (existing === undefined && produce) {
    // Creating a chain takes seconds, after which the address would be refused.
    await checkAddress(options);
    if (options.adminAddress !== undefined) await checkAddress(options.adminAddress);
    log.info({ chain, seed }, "creating a chain");
  }
  const task = { chain, seed, blockInterval, ...(existing === undefined ? {} : { identity: existing }) };
  const producer = produce ? new ProducerSupervisor(task, log) : undefined;
  const stopProducer = (): void => void producer?.stop();
  signal?.addEventListener("abort", stopProducer);
  let listening: Pick<Service, "url" | "adminUrl" | "close"> | undefined;
  // Both at once: a signal for all processes of the service ends the producer too, which must not be restarted meanwhile.
  const close = async (): Promise<void> => {
    await Promise.all([listening?.close(), producer?.stop()]);
  };
  try {
    const identity = await (existing ?? producer?.ready ?? readIdentity(chain));
    signal?.throwIfAborted();
    listening = await startListening(
      options,
      { identity, sharedFolder: undefined, log },
      () => producer?.restarts ?? 0,
      signal,
    );
    // Wait for the producer: it fails if another process holds the write lock.
    await producer?.ready;
    signal?.throwIfAborted();
    log.info({ url: listening.url, adminUrl: listening.adminUrl, chain, workers: options.workers }, "listening");
    let closing: Promise<void> | undefined;
    const { url, adminUrl } = listening;
    return { url, adminUrl, reload: async () => {}, close: () => (closing ??= close()) };
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stopProducer);
  }
}

/** A cluster worker can have no workers, and cannot listen without its primary. */
function checkCluster({ workers }: ServeOptions): void {
  if (cluster.isPrimary || (workers === 1 && process.connected)) return;
  throw new StartError(
    "NODE_UNIQUE_ID is set in the environment, so Node treats this process as a cluster worker; unset it, and use --workers for several processes",
  );
}

/** Answers from a live network. The service starts also if no lite server can be reached. */
async function serveNetwork(
  options: ServeOptions,
  given: NetworkOptions,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<Service> {
  const { defaultTrust } = await import("@chain-query/lite-client");
  const { sharedTips } = await import("../sources/newest-tips.ts");
  const config = await readLists(given, log);
  const { servers } = config;
  const trust = given.trust ?? defaultTrust(servers);
  const lite = await withAnchor({ ...given, trust }, servers, log);
  if (trust !== "signatures") warnOfFewServers(lite, servers.servers.length, log);
  if (given.trust === undefined && trust === "proofs")
    log.warn({ trust }, "the file names no init_block, so the newest block is not verified by signatures");
  const shared = options.workers === 1 ? undefined : createSharedFolder(lite, config);
  const tips = shared && sharedTips(shared.path, ({ block }: LiteHead) => block.seqno);
  const end = async (): Promise<void> => {
    await tips?.close();
    shared?.remove();
  };
  const setting = { identity: undefined, sharedFolder: shared?.path, log };
  try {
    const listening = await startListening({ ...options, source: { ...lite, ...shared?.copies } }, setting, () => 0, signal);
    log.info(
      {
        url: listening.url,
        adminUrl: listening.adminUrl,
        servers: servers.servers.length,
        trust,
        workers: options.workers,
      },
      "listening",
    );
    const reload = () => listening.reload();
    let closing: Promise<void> | undefined;
    const service: Service = {
      url: listening.url,
      adminUrl: listening.adminUrl,
      reload:
        shared === undefined
          ? reload
          : serviceReload({ options, config, shared, isStopping: () => closing !== undefined, reload }, { lite, tips, log }),
      close: () => (closing ??= listening.close().finally(end)),
    };
    if (signal?.aborted === true) await service.close();
    signal?.throwIfAborted();
    return service;
  } catch (error) {
    await end();
    // Ctrl-C reaches a worker that does not handle it yet.
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

/** Warns if fewer servers than three, or than 60 % of them, decide on the newest block. */
function warnOfFewServers({ quorum }: NetworkOptions, servers: number, log: Logger): void {
  if (servers === 1) log.warn({ servers }, "a single lite server is listed, which is trusted with the newest block");
  else if (quorum !== undefined && quorum < 0.6 * servers)
    log.warn({ servers, quorum }, "fewer than 60 % of the lite servers are trusted with the newest block");
}

/** With signatures, names the file of the anchor, if there is a place for it. */
async function withAnchor<Options extends LiteOptions>(lite: Options, config: GlobalConfig, log: Logger): Promise<Options> {
  const { defaultAnchor, defaultTrust } = await import("@chain-query/lite-client");
  const { trust = defaultTrust(config), anchor, state } = lite;
  if (trust !== "signatures" || anchor !== undefined) return lite;
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
  // Before any worker starts, so that a wrong database is one line.
  if (options.workers > 1) {
    const { readIndexedChain } = await import("./open-postgres.ts");
    await readIndexedChain(postgres, log, signal);
  }
  const config = postgres.lite && (await readLists(postgres.lite, log));
  const lite = postgres.lite && config && (await withAnchor(postgres.lite, config.servers, log));
  const isShared = options.workers > 1;
  const shared = isShared && lite && config ? createSharedFolder(lite, config) : undefined;
  const sharedFolder = isShared ? (shared?.path ?? mkdtempSync(join(tmpdir(), "chain-query-index-"))) : undefined;
  const remove = (): void => {
    if (sharedFolder !== undefined) rmSync(sharedFolder, { recursive: true, force: true });
  };
  const source = { ...postgres, lite: lite && { ...lite, ...shared?.copies } };
  try {
    const setting = { identity: undefined, sharedFolder, log };
    const listening = await startListening({ ...options, source }, setting, () => 0, signal);
    const { url, adminUrl } = listening;
    log.info({ url, adminUrl, ...sourcesOf(postgres), workers: options.workers }, "listening");
    const reload = () => listening.reload();
    let closing: Promise<void> | undefined;
    const service: Service = {
      url: listening.url,
      adminUrl: listening.adminUrl,
      reload:
        lite && config && shared
          ? serviceReload({ options, config, shared, isStopping: () => closing !== undefined, reload }, { lite, log })
          : reload,
      close: () => (closing ??= listening.close().finally(remove)),
    };
    if (signal?.aborted === true) await service.close();
    signal?.throwIfAborted();
    return service;
  } catch (error) {
    remove();
    signal?.throwIfAborted();
    throw error;
  }
}

async function startListening(
  options: ServeOptions,
  setting: SourceSetting,
  producerRestarts: () => number,
  signal: AbortSignal | undefined,
): Promise<Service> {
  const restarts = { producer: producerRestarts, worker: () => 0 };
  const registry = restartMetrics(restarts);
  if (options.workers === 1) {
    const metricsText = async (node: Registry): Promise<string> => `${await node.metrics()}\n${await registry.metrics()}`;
    return startNode(options, { ...setting, signal, number: 0, createLimiter: memoryLimiter, metricsText });
  }
  addLogMetrics(registry);
  const workers = await startCluster(options, { ...setting, metrics: registry }, signal);
  restarts.worker = () => workers.restarts;
  return workers;
}

/** The metrics of the process that restarts others. */
export function restartMetrics(restarts: Readonly<Record<string, () => number>>): Registry {
  const registry = new Registry();
  new Counter({
    name: "chain_query_restarts_total",
    help: "Restarts of processes that died",
    labelNames: ["process"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [name, count] of Object.entries(restarts)) this.inc({ process: name }, count());
    },
  });
  return registry;
}
