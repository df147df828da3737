/** One process that answers: the chain opened for reading, the keys, the limits, and a socket. */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { createApp } from "../app.ts";
import type { ChainSource } from "../chain-source.ts";
import { historyOf } from "../history.ts";
import { gateOf } from "../limits/gate.ts";
import { openKeyStore } from "../limits/key-store.ts";
import type { LimiterKind } from "../limits/limiter.ts";
import { messagesOf } from "../messages.ts";
import { type ChainGlance, createMetrics, type Metrics } from "../operating/metrics.ts";
import { loadTelemetry } from "../operating/telemetry.ts";
import { type ServeOptions, StartError } from "../serve-options.ts";
import { localChainSource } from "../sources/local-chain.ts";
import { statusOf } from "../status/status.ts";

/** A process that answers. */
export interface Node {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly metrics: Metrics;
  /** Answers what was asked, takes nothing new, and frees everything. Calling it again does no harm. */
  close(): Promise<void>;
}

/** What differs between a process alone and one of several. */
export interface NodeSetting {
  /** Which of the processes this is, from 0. */
  readonly number: number;
  readonly limiter: LimiterKind;
  /** The metrics of all processes, of which this one has those in the registry. */
  readonly metricsText: (own: Registry) => Promise<string>;
  readonly log: Logger;
}

const cacheBytes = { history: 96 * 2 ** 20, messages: 32 * 2 ** 20 };
/** Milliseconds that an answer may take once the service stops. */
const longestDrain = 5_000;
const sweepPause = 20;

/**
 * Starts to answer.
 *
 * @throws ChainStoreError, KeyStoreError or StartError where something is not as it has to be, in words for the operator.
 */
export async function startNode(options: ServeOptions, { number, limiter, metricsText, log }: NodeSetting): Promise<Node> {
  const addTelemetry = options.telemetry ? await loadTelemetry() : undefined;
  const source = localChainSource(options.chain, options.retention);
  const keys = await orClose(source, () => openKeyStore(options.keys));
  const metrics = createMetrics(() => glance(source));
  let stopping = false;
  const app = createApp({
    context: {
      source,
      history: historyOf(source, cacheBytes.history),
      messages: messagesOf(source, cacheBytes.messages),
      blockType: `${options.networkName}.blockIdExt`,
    },
    gate: gateOf({
      keys,
      limiter,
      keylessRate: options.keylessRate,
      network: options.networkName,
      onRefusal: metrics.refused,
      onTrouble: (error) => {
        metrics.limiterFailed();
        log.error({ err: error }, "a request could not be counted and was let in");
      },
    }),
    metrics,
    log,
    node: number,
    trustedProxies: options.trustedProxies,
    logRequests: options.logRequests,
    pages: {
      troubleNow: async () => {
        if (stopping) return "the service is stopping";
        return (await glance(source)) === undefined ? "the chain cannot be read" : undefined;
      },
      metricsText: () => metricsText(metrics.registry),
      status: statusOf(source, () => metricsText(metrics.registry)),
    },
    addTelemetry,
  });
  const free = async (): Promise<void> => {
    await Promise.all([source.close(), keys.close()]);
  };
  try {
    const url = await listen(app, options);
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      stopping = true;
      const patience = setTimeout(() => app.server.closeAllConnections(), longestDrain);
      // A connection that has got its last answer would be kept for another question.
      const sweep = setInterval(() => app.server.closeIdleConnections(), sweepPause);
      await app.close();
      clearTimeout(patience);
      clearInterval(sweep);
      await free();
    };
    return { url, metrics, close: () => (closing ??= close()) };
  } catch (error) {
    await app.close();
    await free();
    throw error;
  }
}

/** Closes what is open already where the next thing cannot be opened. */
async function orClose<Value>(opened: ChainSource, open: () => Value): Promise<Value> {
  try {
    return open();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function glance(source: ChainSource): Promise<ChainGlance | undefined> {
  try {
    const { block, transactionCount } = await source.head();
    return { seqno: block.id.seqno, time: block.time, transactions: transactionCount };
  } catch {
    return undefined;
  }
}

const troubles: Readonly<Record<string, (options: ServeOptions) => string>> = {
  EADDRINUSE: ({ port, host }) => `--port ${port}: taken on ${host}; choose another, or 0 for any free one`,
  EACCES: ({ port }) => `--port ${port}: not open to this user; one above 1023 is`,
  EADDRNOTAVAIL: ({ host }) => `--host ${JSON.stringify(host)}: not an address of this machine`,
  ENOTFOUND: ({ host }) => `--host ${JSON.stringify(host)}: not known`,
  EAI_AGAIN: ({ host }) => `--host ${JSON.stringify(host)}: cannot be looked up at the moment`,
  EINVAL: ({ host }) => `--host ${JSON.stringify(host)}: not an address`,
};

async function listen(app: FastifyInstance, options: ServeOptions): Promise<string> {
  try {
    await app.listen({ port: options.port, host: options.host });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const trouble = troubles[code]?.(options);
    throw trouble === undefined ? error : new StartError(trouble);
  }
  return urlOf(app.server.address() as AddressInfo);
}

/** The wildcard addresses can be bound but, on some systems, not called. */
const callable: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function urlOf({ address, port }: AddressInfo): string {
  const host = callable[address] ?? address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
