/** What can be counted of the service, for Prometheus. Addresses and keys are in none of it. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Policy } from "../limits/gate.ts";

/** The counts of one process. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts an answer. @param operation - The operationId, or what else was asked for in one word. */
  answered(operation: string, status: number, seconds: number): void;
  refused(policy: Policy): void;
  /** Counts what the limiter could not decide. */
  limiterFailed(): void;
}

/** What is counted where the operation would stand: what is no operation, and what HTTP refused before it knew. */
export const page = "page";
export const unread = "unread";

/** What is known of the chain when metrics are asked for. */
export interface ChainGlance {
  readonly seqno: number;
  /** Unix seconds. */
  readonly time: number;
  readonly transactions: bigint;
}

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Sets the counts up.
 *
 * @param glance - Looks at the chain; undefined where it cannot be read.
 */
export function createMetrics(glance: () => Promise<ChainGlance | undefined>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const duration = new Histogram({
    name: "chain_query_request_duration_seconds",
    help: "Time from the headers of a request to the end of its answer, by operation and status",
    labelNames: ["operation", "status"],
    buckets,
    registers,
  });
  const refusals = new Counter({
    name: "chain_query_limiter_refusals_total",
    help: "Requests refused with 429, by what they were counted under",
    labelNames: ["policy"],
    registers,
  });
  const limiterFailures = new Counter({
    name: "chain_query_limiter_failures_total",
    help: "Requests let in because their count could not be kept",
    registers,
  });
  chainGauges(registry, glance);

  // Looking a pair of labels up costs more than counting.
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
    answered: (operation, status, seconds) => durationOf(operation, status).observe(seconds),
    refused: (policy) => refusals.inc({ policy }),
    limiterFailed: () => limiterFailures.inc(),
  };
}

/** They are the same in every process, so that of several processes the greatest counts. */
function chainGauges(registry: Registry, glance: () => Promise<ChainGlance | undefined>): void {
  const gauge = (name: string, help: string, value: (seen: ChainGlance) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: "max",
      async collect() {
        const seen = await glance();
        if (seen !== undefined) this.set(value(seen));
      },
    });
  };
  gauge("chain_query_head_seqno", "Sequence number of the newest masterchain block", ({ seqno }) => seqno);
  gauge("chain_query_chain_transactions", "Transactions from genesis to the head", ({ transactions }) => Number(transactions));
  gauge("chain_query_head_age_seconds", "Seconds since the time of the newest masterchain block", ({ time }) =>
    Math.max(0, Math.round(Date.now() / 1000 - time)),
  );
}
