/** Metrics, health and readiness of an indexer over HTTP. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type IndexerMonitor, type IndexerState, phases } from "./monitor.ts";
import type { IndexerEvent } from "./run-indexer.ts";

const commitBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics for Prometheus, under `chain_query_indexer_`. */
export interface IndexerMetrics {
  readonly registry: Registry;
  record(event: IndexerEvent): void;
}

export function createMetrics(monitor: IndexerMonitor): IndexerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string): Counter =>
    new Counter({ name: `chain_query_indexer_${name}`, help, registers });
  const steps = counter("steps_total", "Steps written since the start");
  const transactions = counter("transactions_total", "Transactions written since the start");
  const accounts = counter("accounts_total", "Versions of accounts written since the start");
  const waits = new Counter({
    name: "chain_query_indexer_waits_total",
    help: "Failed attempts to continue, by cause: source, database or lease",
    labelNames: ["cause"],
    registers,
  });
  const commits = new Histogram({
    name: "chain_query_indexer_commit_duration_seconds",
    help: "Time of a commit, which has one step or more",
    buckets: commitBuckets,
    registers,
  });
  addStateGauges(registry, monitor);
  return {
    registry,
    record: (event) => {
      if (event.type === "waits") waits.inc({ cause: event.cause });
      if (event.type !== "wrote") return;
      steps.inc(event.steps);
      transactions.inc(event.transactions);
      accounts.inc(event.accounts);
      commits.observe(event.duration / 1000);
    },
  };
}

function addStateGauges(registry: Registry, monitor: IndexerMonitor): void {
  const gauge = (name: string, help: string, value: (state: IndexerState) => number | undefined): void => {
    new Gauge({
      name: `chain_query_indexer_${name}`,
      help,
      registers: [registry],
      collect() {
        const known = value(monitor.state);
        if (known === undefined) this.remove();
        else this.set(known);
      },
    });
  };
  gauge("head_seqno", "The last written step", ({ head }) => head);
  gauge("newest_seqno", "The newest step that the source has", ({ newest }) => newest);
  gauge("head_age_seconds", "Seconds since the block time of the last written step", ({ headTime }) =>
    headTime === undefined ? undefined : Math.round(Date.now() / 1000 - headTime),
  );
  gauge("falls_behind", "1 if the chain makes more steps than are written, otherwise 0", ({ fallsBehind }) =>
    fallsBehind === undefined ? 0 : 1,
  );
  gauge("behind_steps", "Steps of the chain that are not written while it falls behind, otherwise 0", ({ fallsBehind }) =>
    fallsBehind === undefined ? 0 : fallsBehind.steps,
  );
  gauge("queries_per_step", "Queries to lite servers for each step", ({ queriesPerStep }) => queriesPerStep);
  gauge(
    "queries_per_account",
    "Queries to lite servers for the states of accounts, for each changed account",
    ({ queriesPerAccount }) => queriesPerAccount,
  );
  gauge(
    "queries_needed",
    "Queries per second to follow the chain; absent unless it falls behind",
    ({ fallsBehind }) => fallsBehind?.queries?.needed,
  );
  gauge(
    "queries_limit",
    "Queries per second that are allowed; absent unless it falls behind",
    ({ fallsBehind }) => fallsBehind?.queries?.limit,
  );
  new Gauge({
    name: "chain_query_indexer_phase",
    help: "1 for the current phase, 0 for the others",
    labelNames: ["phase"],
    registers: [registry],
    collect() {
      const { phase: current } = monitor.state;
      for (const phase of phases) this.set({ phase }, phase === current ? 1 : 0);
    },
  });
}

/** A running HTTP server. */
export interface ObservabilityServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics`, `/healthz` (200 while the process runs) and `/readyz` (503 while the indexer starts or waits for the chain or the
 * database; a standby is ready).
 */
export async function serveObservability(
  { registry }: IndexerMetrics,
  monitor: IndexerMonitor,
  address: { readonly host: string; readonly port: number },
): Promise<ObservabilityServer> {
  const server = createServer((request, response) => {
    const respond = (status: number, text: string, type = "application/json"): void => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
    };
    if (request.method !== "GET" && request.method !== "HEAD") return respond(405, '{"error":"expected GET"}\n');
    switch (request.url?.split("?")[0]) {
      case "/healthz":
        return respond(200, '{"status":"ok"}\n');
      case "/readyz": {
        const { state } = monitor;
        const isReady = state.phase !== "starting" && state.phase !== "waiting";
        return respond(isReady ? 200 : 503, `${JSON.stringify(state)}\n`);
      }
      case "/metrics":
        registry.metrics().then(
          (text) => respond(200, text, registry.contentType),
          () => respond(500, '{"error":"the metrics cannot be collected"}\n'),
        );
        return;
      default:
        return respond(404, '{"error":"expected /metrics, /healthz or /readyz"}\n');
    }
  });
  server.requestTimeout = 5_000;
  server.listen(address.port, address.host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
