/** One process that serves HTTP: it opens the source and the keys, creates the app, and listens. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { LocatedTransactions } from "../answer-cache/located.ts";
import { TransactionPages } from "../answer-cache/transaction-pages.ts";
import { createApp } from "../app.ts";
import { deadlineSignal } from "../deadline.ts";
import { type ApiKeyFinder, openApiKeyReader } from "../limits/api-keys.ts";
import { createGate } from "../limits/gate.ts";
import { memoryLimiter, redisLimiter } from "../limits/limiter.ts";
import type { SharedRedis } from "../limits/redis.ts";
import { addLogMetrics, logOfRedis } from "../observability/log.ts";
import {
  addProcessMetrics,
  addQueryMetrics,
  addRedisMetrics,
  addRestartMetrics,
  createMetrics,
  type Metrics,
  version,
} from "../observability/metrics.ts";
import { loadTelemetry } from "../observability/telemetry.ts";
import { QueryBudgets } from "../query-budget.ts";
import { unreadLimit } from "../routes/connections.ts";
import { createAdminApp, type PageSources } from "../routes/site.ts";
import { liteServersOf, type ServeOptions } from "../serve-options.ts";
import { notReady } from "../status/readiness.ts";
import { createStatus } from "../status/status.ts";
import { listen } from "./listen.ts";
import { type OpenSource, openSource, type SourceDependencies } from "./open-chain.ts";

/** A running service. */
export interface Service {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Of status and metrics, if they have an address of their own. */
  readonly adminUrl: string | undefined;
  /** Reads the files of lite servers again. If they cannot be used, the log says why and the servers stay what they were. */
  reload(): Promise<void>;
  /** Finishes the requests in progress, and closes everything. Can be called again. */
  close(): Promise<void>;
}

/** What the process needs besides the options, and how often the block producer was started again. */
type HttpProcessDependencies = SourceDependencies & { readonly producerRestarts?: () => number };

const cacheBytes = { pages: 96 * 2 ** 20, located: 32 * 2 ** 20 };
/** Milliseconds between two sums of the bytes that clients do not read. */
const unreadInterval = 1_000;
/** Milliseconds for requests in progress to finish when the service stops. */
const drainTimeout = 5_000;
const idleCheckInterval = 20;

/**
 * Starts to listen.
 *
 * @throws ChainStoreError or StartError with a line for the operator.
 */
export async function startHttpProcess(options: ServeOptions, setting: HttpProcessDependencies): Promise<Service> {
  const addTelemetry = options.telemetry ? await loadTelemetry() : undefined;
  const metrics = createMetrics(async () => {
    try {
      return await source.head(deadlineSignal(options.deadline * 1000));
    } catch {
      return undefined;
    }
  });
  const { opened, keys, redis, close: closeStores } = await openStores(options, setting, metrics);
  const { source, servers, databases, reload } = opened;
  addLogMetrics(metrics.registry);
  addProcessMetrics(metrics.registry);
  addRestartMetrics(metrics.registry, setting.producerRestarts ?? (() => 0));
  const { maxHeadAge = 0 } = options;
  const blockInterval = options.source.kind === "chain" && options.source.produce ? options.source.blockInterval : undefined;
  let isStopping = false;
  const pages: PageSources = {
    notReady: async (signal) =>
      isStopping ? "the service is stopping" : notReady({ ...opened, blockInterval, maxHeadAge }, signal),
    warning: () => opened.warning?.(),
    metricsText: () => metrics.registry.metrics(),
    status: createStatus({
      source,
      about: { network: options.networkName, version },
      deadline: options.deadline,
      times: metrics.times,
      blockInterval,
      servers,
      redis,
      databases: databases && (() => databases.status),
    }),
    docs: findDocs(),
    isAdminApart: options.adminAddress !== undefined,
    contractOnly: options.contractOnly,
  };
  const admin = options.adminAddress && createAdminApp(pages, options.deadline);
  const app = createApp({
    context: {
      source,
      pages: new TransactionPages(source, cacheBytes.pages),
      located: new LocatedTransactions(source, cacheBytes.located),
      proofs: opened.proofs,
      blockType: `${options.networkName}.blockIdExt`,
    },
    gate: gateOf(options, { keys, redis }, metrics),
    budgets: budgetsOf(options, opened, metrics),
    metrics,
    log: setting.log,
    deadline: options.deadline,
    trustedProxies: options.trustedProxies,
    connections: {
      ...{ all: options.connections, address: options.addressConnections },
      ...{ unread: unreadLimit(), interval: unreadInterval },
    },
    logRequests: options.logRequests,
    cacheHeaders: options.cacheHeaders,
    pages,
    addTelemetry,
  });
  try {
    const url = await listen(app, options);
    const adminUrl = admin && options.adminAddress && (await listen(admin, options.adminAddress));
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      isStopping = true;
      await sleep(options.shutdownDelay * 1000);
      await drain(app);
      await admin?.close();
      await closeStores();
    };
    return { url, adminUrl, reload, close: () => (closing ??= close()) };
  } catch (error) {
    await Promise.all([app.close(), admin?.close()]);
    await closeStores();
    throw error;
  }
}

interface Stores {
  readonly opened: OpenSource;
  readonly keys: ApiKeyFinder;
  readonly redis: SharedRedis | undefined;
  close(): Promise<void>;
}

async function openStores(options: ServeOptions, setting: HttpProcessDependencies, metrics: Metrics): Promise<Stores> {
  let redis: SharedRedis | undefined;
  if (options.redis !== undefined) {
    const { connectRedis } = await import("../limits/redis.ts");
    const shared = await connectRedis(options.redis, options.deadline, logOfRedis(options.redis, setting.log));
    addRedisMetrics(metrics.registry, () => shared.problem === undefined);
    redis = shared;
  }
  let opened: OpenSource | undefined;
  try {
    opened = await openSource(options, setting, metrics);
    const { source } = opened;
    const keys = await openKeys(options, setting, opened.databases);
    const close = async (): Promise<void> => {
      keys.close?.();
      await source.close();
      await redis?.close();
    };
    return { opened, keys, redis, close };
  } catch (error) {
    await Promise.all([opened?.source.close(), redis?.close()]);
    throw error;
  }
}

async function openKeys(
  { source }: ServeOptions,
  { log }: HttpProcessDependencies,
  databases: OpenSource["databases"],
): Promise<ApiKeyFinder> {
  if (source.kind !== "index") return openApiKeyReader(source.keys);
  if (databases === undefined) throw new TypeError("an index has no databases");
  const { PostgresApiKeys } = await import("../limits/postgres-api-keys.ts");
  return new PostgresApiKeys({
    databases,
    onChange: (reason) => {
      if (reason === undefined) log.info("API keys can be read from PostgreSQL again");
      else log.error({ reason }, "API keys cannot be read from PostgreSQL; requests with one are answered with 503");
    },
  });
}

function gateOf(
  { keylessRate, networkName }: ServeOptions,
  { keys, redis }: Pick<Stores, "keys" | "redis">,
  metrics: Metrics,
): ReturnType<typeof createGate> {
  return createGate({
    keys,
    createLimiter: redis === undefined ? memoryLimiter : redisLimiter(redis, networkName),
    keylessRate,
    network: networkName,
    onRefusal: metrics.refused,
    limiterEvents: { onLocalCount: metrics.countedLocally },
  });
}

function budgetsOf({ source, keylessRate }: ServeOptions, { servers }: OpenSource, metrics: Metrics): QueryBudgets | undefined {
  const lite = liteServersOf(source);
  if (lite === undefined || servers === undefined) return undefined;
  const ready = (): number => servers().filter(({ archival, state }) => !archival && state === "ready").length;
  return new QueryBudgets({
    rate: () => Math.max(1, ready()) * lite.rate,
    hasShares: keylessRate > 0,
    onEnd: addQueryMetrics(metrics.registry),
    onRefusal: () => metrics.refused("keyless-queries"),
  });
}

/** The docs site built in the repository beside this package, or the copy that is packed with it. */
function findDocs(): string | undefined {
  const folders = ["../../../docs/dist/", "../../dist/docs/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return folders.find((folder) => existsSync(`${folder}index.html`));
}

async function drain(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), drainTimeout);
  // A connection becomes idle after its last response, and keep-alive would hold it open.
  const idleCheck = setInterval(() => app.server.closeIdleConnections(), idleCheckInterval);
  await app.close();
  clearTimeout(timer);
  clearInterval(idleCheck);
}
