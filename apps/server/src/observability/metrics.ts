/** Metrics for Prometheus. They contain no addresses and no keys. */

import { readFileSync } from "node:fs";
import type { Head } from "@chain-query/format/store";
import type { OperationId } from "@chain-query/types";
import { Counter, collectDefaultMetrics, Gauge, Histogram, type MetricValueWithName, Registry } from "prom-client";
import type { Policy } from "../limits/gate.ts";

export interface Metrics {
  readonly registry: Registry;
  /** The histogram of the response times. */
  times(): Promise<readonly ResponseTime[]>;
  /** Counts a response. @param operation - The operationId, or {@link page}, {@link unnamed} or {@link unread}. */
  countResponse(operation: string, status: number, seconds: number): void;
  refused(policy: Policy | "keyless-queries"): void;
  /** Counts a connection that was closed at a limit. */
  closed(limit: ConnectionLimit): void;
  /** Counts a request that begins to wait for the head, or ends to. */
  waits(change: 1 | -1): void;
  /** Counts a read of the chain that did not answer at once. @param read - The method of `ChainReader`. */
  read(read: string, seconds: number, hasFailed: boolean): void;
  /** Counts a request that was checked against a local limit, because Redis did not reply. */
  countedLocally(): void;
}

/** A value of the histogram of response times: a bucket, the sum or the count. */
export type ResponseTime = MetricValueWithName<"operation" | "status" | "le">;

/** Why a connection was closed: too many in all, or of one address, or bytes that wait. */
export type ConnectionLimit = (typeof connectionLimits)[number];
const connectionLimits = ["all", "address", "unread"] as const;

/** Adds metrics of the process, its event loop and memory, and of the version that runs. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: "chain_query_build_info",
    help: "1; its labels are the version of the service and that of Node.js",
    labelNames: ["version", "node"],
    registers: [registry],
  });
  build.set({ version, node: process.version }, 1);
}

/** Of the service. */
export const version: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;

/** The `operation` label of routes outside the contract, and of requests that Node's HTTP parser refused. */
export const page = "page";
/** The operation of a call of JSON-RPC that is refused before its operation is known. */
export const unnamed = "jsonRPC";
export const unread = "unread";

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Creates the metrics.
 *
 * @param readHead - Reads the head of the chain; undefined if it cannot be read.
 */
export function createMetrics(readHead: () => Promise<Head | undefined>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const ofRequests = "Time from the headers of a request to the end of its response, by operation and status";
  const duration = histogram("chain_query_request_duration_seconds", ofRequests, ["operation", "status"]);
  const refusals = counter("chain_query_limiter_refusals_total", "Requests refused with 429, by policy", ["policy"]);
  const alone = "Requests that an instance counted alone because Redis did not reply";
  const localCounts = counter("chain_query_limiter_local_counts_total", alone, []);
  const atLimits = "Connections closed at a limit: all, address or unread (bytes)";
  const closed = counter("chain_query_connections_closed_total", atLimits, ["limit"]);
  const ofReads = "Time of a read of the chain from databases or lite servers, by kind and whether it failed";
  const reads = histogram("chain_query_read_duration_seconds", ofReads, ["read", "failed"]);
  const waiting = new Gauge({ name: "chain_query_waiting_requests", help: "Requests that wait for a head", registers });
  // A counter that begins with its first event does not increase for Prometheus.
  for (const limit of connectionLimits) closed.inc({ limit }, 0);
  addChainGauges(registry, readHead);

  // `labels()` costs more than counting.
  const known = new Map<string, ReturnType<typeof duration.labels>[]>();
  const durationOf = (operation: string, status: number): ReturnType<typeof duration.labels> => {
    const byStatus = known.get(operation) ?? [];
    const one = byStatus[status] ?? duration.labels(operation, String(status));
    byStatus[status] = one;
    known.set(operation, byStatus);
    return one;
  };

  return {
    registry,
    times: async () => (await duration.get()).values,
    countResponse: (operation, status, seconds) => durationOf(operation, status).observe(seconds),
    read: (read, seconds, hasFailed) => reads.observe({ read, failed: String(hasFailed) }, seconds),
    waits: (change) => waiting.inc(change),
    refused: (policy) => refusals.inc({ policy }),
    closed: (limit) => closed.inc({ limit }),
    countedLocally: () => localCounts.inc(),
  };
}

function addChainGauges(registry: Registry, readHead: () => Promise<Head | undefined>): void {
  // Kept, so that its age grows while no head can be read.
  let last: Head | undefined;
  let reading: Promise<Head | undefined> | undefined;
  /** Reads the head once for all gauges of a scrape. */
  const readOnce = (): Promise<Head | undefined> =>
    (reading ??= readHead().finally(() => {
      reading = undefined;
    }));
  const gauge = (name: string, help: string, value: (head: Head) => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      // All processes read one chain, so their values must not be added up.
      async collect() {
        last = (await readOnce()) ?? last;
        const known = last && value(last);
        if (known === undefined) this.remove();
        else this.set(known);
      },
    });
  };
  gauge("chain_query_head_seqno", "Sequence number of the newest masterchain block", ({ block }) => block.id.seqno);
  gauge("chain_query_chain_transactions", "Transactions from genesis to the head", ({ transactionCount }) =>
    transactionCount === undefined ? undefined : Number(transactionCount),
  );
  gauge(
    "chain_query_head_age_seconds",
    "Seconds since the time of the newest masterchain block, negative if it is ahead",
    ({ block }) => Math.round(Date.now() / 1000 - block.time),
  );
}

const queryBuckets = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Adds metrics of the queries of requests. Returns the function that counts a request. */
export function addQueryMetrics(registry: Registry): (operation: OperationId, queries: number, isExhausted: boolean) => void {
  const perRequest = new Histogram({
    name: "chain_query_lite_queries_per_request",
    help: "Queries to lite servers of a request, by operation; answers from memory are not counted",
    labelNames: ["operation"],
    buckets: queryBuckets,
    registers: [registry],
  });
  const exhausted = new Counter({
    name: "chain_query_lite_exhausted_total",
    help: "Requests that needed more queries to lite servers than their budget",
    labelNames: ["operation"],
    registers: [registry],
  });
  return (operation, queries, isExhausted) => {
    perRequest.observe({ operation }, queries);
    if (isExhausted) exhausted.inc({ operation });
  };
}

export function addRedisMetrics(registry: Registry, isReady: () => boolean): void {
  new Gauge({
    name: "chain_query_redis_ready",
    help: "Whether limits are counted in Redis; 0 if the instance counts alone",
    registers: [registry],
    collect() {
      this.set(Number(isReady()));
    },
  });
}

export function addRestartMetrics(registry: Registry, restarts: () => number): void {
  new Counter({
    name: "chain_query_restarts_total",
    help: "Restarts of processes that died",
    labelNames: ["process"],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ process: "producer" }, restarts());
    },
  });
}
