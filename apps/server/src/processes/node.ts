/** One process that answers requests: stores opened for reading, limits, the app and its socket. */
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { LocatedTransactions } from "../answers/located.ts";
import { TransactionPages } from "../answers/pages.ts";
import { createApp } from "../app.ts";
import { type ChainSource, headIfReadable, SourceError } from "../chain-source.ts";
import { StartError } from "../failure.ts";
import { createGate } from "../limits/gate.ts";
import { type KeyStore, openKeyStore } from "../limits/keys.ts";
import type { CreateLimiter } from "../limits/limiter.ts";
import { addLogMetrics } from "../operating/log.ts";
import { createMetrics, type Metrics } from "../operating/metrics.ts";
import { loadTelemetry } from "../operating/telemetry.ts";
import type { ServeOptions } from "../serve-options.ts";
import type { ChainIdentity } from "../sources/chain-identity.ts";
import { localChainSource } from "../sources/local-chain.ts";
import { createStatus } from "../status/status.ts";

/** A process that answers requests. */
export interface Node {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly metrics: Metrics;
  /** Finishes the requests in progress and closes everything. Can be called again. */
  close(): Promise<void>;
}

/** What differs between a single process and a worker of a cluster. */
export interface NodeSetting {
  /** The number of this process, from 0. */
  readonly number: number;
  /** The chain that the folder has to hold. */
  readonly identity: ChainIdentity;
  readonly createLimiter: CreateLimiter;
  /** The metrics of all processes, given the registry of this one. */
  readonly metricsText: (own: Registry) => Promise<string>;
  readonly log: Logger;
}

const cacheBytes = { pages: 96 * 2 ** 20, located: 32 * 2 ** 20 };
/** Milliseconds that requests in progress have to finish when the service stops. */
const drainTimeout = 5_000;
const idleCheckInterval = 20;

/**
 * Starts to listen.
 *
 * @throws ChainStoreError or StartError with a line for the operator.
 */
export async function startNode(options: ServeOptions, setting: NodeSetting): Promise<Node> {
  const addTelemetry = options.telemetry ? await loadTelemetry() : undefined;
  const { source, keys, close: closeStores } = await openStores(options, setting);
  const metrics = createMetrics(() => headIfReadable(source));
  addLogMetrics(metrics.registry);
  const { metricsText, number, log } = setting;
  let isStopping = false;
  const app = createApp({
    context: {
      source,
      pages: new TransactionPages(source, cacheBytes.pages),
      located: new LocatedTransactions(source, cacheBytes.located),
      blockType: `${options.networkName}.blockIdExt`,
    },
    gate: gateOf(options, setting, keys, metrics),
    metrics,
    log,
    node: number,
    trustedProxies: options.trustedProxies,
    logRequests: options.logRequests,
    pages: {
      notReady: async () => {
        if (isStopping) return "the service is stopping";
        try {
          await source.head();
          return undefined;
        } catch (error) {
          return error instanceof SourceError ? error.message : "the chain cannot be read";
        }
      },
      metricsText: () => metricsText(metrics.registry),
      status: createStatus(source, () => metricsText(metrics.registry)),
      docs: findDocs(),
    },
    addTelemetry,
  });
  try {
    const url = await listen(app, options);
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      isStopping = true;
      await drain(app);
      await closeStores();
    };
    return { url, metrics, close: () => (closing ??= close()) };
  } catch (error) {
    await app.close();
    await closeStores();
    throw error;
  }
}

interface Stores {
  readonly source: ChainSource;
  readonly keys: KeyStore;
  close(): Promise<void>;
}

async function openStores(options: ServeOptions, { identity, log }: NodeSetting): Promise<Stores> {
  const source = localChainSource(options.chain, {
    retention: options.retention,
    identity,
    onFolderChange: (problem) => {
      if (problem === undefined) log.info({ chain: options.chain }, "the chain is back, answering again");
      else log.error({ reason: problem }, "the chain cannot be read, operations answer 542");
    },
  });
  try {
    const keys = openKeyStore(options.keys);
    const close = async (): Promise<void> => {
      await Promise.all([source.close(), keys.close()]);
    };
    return { source, keys, close };
  } catch (error) {
    await source.close();
    throw error;
  }
}

function gateOf(
  options: ServeOptions,
  { createLimiter, log }: NodeSetting,
  keys: KeyStore,
  metrics: Metrics,
): ReturnType<typeof createGate> {
  return createGate({
    keys,
    createLimiter,
    keylessRate: options.keylessRate,
    network: options.networkName,
    onRefusal: metrics.refused,
    limiterEvents: {
      onOutage: (error) =>
        log.error({ err: error }, "the primary does not count requests; this worker counts alone until it does"),
      onLocalCount: metrics.countedLocally,
    },
  });
}

/** The docs site built in the repository beside this package, or the copy that is packed with it. */
function findDocs(): string | undefined {
  const folders = ["../../../docs/dist/", "../../dist/docs/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return folders.find((folder) => existsSync(`${folder}index.html`));
}

const listenErrors: Readonly<Record<string, (options: ServeOptions) => string>> = {
  EADDRINUSE: ({ port, host }) => `port ${port} is in use on ${host}; choose another, or 0 for any free port`,
  EACCES: ({ port }) => `port ${port}: permission denied; choose a port above 1023`,
  EADDRNOTAVAIL: ({ host }) => `host ${JSON.stringify(host)}: not an address of this machine`,
  ENOTFOUND: ({ host }) => `host ${JSON.stringify(host)}: unknown name`,
  EAI_AGAIN: ({ host }) => `host ${JSON.stringify(host)}: name resolution failed, try again later`,
  EINVAL: ({ host }) => `host ${JSON.stringify(host)}: not an address`,
};

async function listen(app: FastifyInstance, options: ServeOptions): Promise<string> {
  try {
    await app.listen({ port: options.port, host: options.host });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const message = listenErrors[code]?.(options);
    throw message === undefined ? error : new StartError(message);
  }
  return urlOf(app.server.address() as AddressInfo);
}

/** Some systems accept connections on wildcard addresses but not to them. */
const callableHosts: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function urlOf({ address, port }: AddressInfo): string {
  const host = callableHosts[address] ?? address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function drain(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), drainTimeout);
  // A connection becomes idle after its last answer, and keep-alive would hold it open.
  const idleCheck = setInterval(() => app.server.closeIdleConnections(), idleCheckInterval);
  await app.close();
  clearTimeout(timer);
  clearInterval(idleCheck);
}
