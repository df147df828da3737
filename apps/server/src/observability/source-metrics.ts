/**
 * Metrics of the lite servers and databases that one process reads. Lite servers are named by the first
 * 8 digits of the ids of their keys, databases by their role, such as `replica 1`.
 */
import type { LiteEvent, LiteServerStatus } from "@chain-query/lite-client";
import type { DatabaseEvents, DatabaseStatus } from "@chain-query/postgres-store";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

const queryBuckets = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256];
const liteBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Adds the metrics. Returns the function that counts an event. */
export function addLiteMetrics(
  registry: Registry,
  servers: () => readonly LiteServerStatus[],
  consensus: () => number | undefined,
): (event: LiteEvent) => void {
  const registers = [registry];
  addServerGauges(registry, servers);
  new Gauge({
    name: "chain_query_consensus_seqno",
    help: "Sequence number of the newest masterchain block that most lite servers have",
    registers,
    aggregator: "max",
    collect() {
      const seqno = consensus();
      if (seqno !== undefined) this.set(seqno);
    },
  });
  const answers = new Histogram({
    name: "chain_query_lite_answer_duration_seconds",
    help: "Time of an answer of a lite server, by server and function",
    labelNames: ["server", "function"],
    buckets: liteBuckets,
    registers,
  });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> =>
    new Counter({ name: `chain_query_lite_${name}_total`, help, labelNames: [...labelNames], registers });
  const errors = counter("errors", "Failed queries to lite servers, by class; false-answer is a failed proof", [
    "server",
    "class",
  ]);
  const retries = counter("retries", "Queries that were sent again to another server", ["server"]);
  const hedges = counter("hedges", "Queries to a second server because the first took long", ["server", "won"]);
  const bytes = counter("bytes", "Bytes of queries and answers", ["server", "direction"]);
  const cached = counter("cached", "Reads that were answered from memory", ["function"]);
  const shared = counter("shared", "Reads that were answered together with an equal one", ["function"]);
  const quarantines = counter("quarantines", "How often a server was left alone because it gave a wrong answer", ["server"]);
  const forks = counter("forks", "Disagreements of the servers on a block without a majority", []);

  const perRead = new Histogram({
    name: "chain_query_lite_queries_per_read",
    help: "Queries to lite servers of a read, by its method; answers from memory are not counted",
    labelNames: ["method"],
    buckets: queryBuckets,
    registers,
  });
  const exhausted = counter("exhausted", "Reads that needed more queries than --lite-budget", ["method"]);

  const countAnswer = (event: Extract<LiteEvent, { type: "answer" }>): void => {
    const { server, outcome } = event;
    if (outcome === "ok") answers.observe({ server, function: event.function }, event.ms / 1000);
    else if (outcome !== "cancelled") errors.inc({ server, class: outcome });
    if (event.isRetry) retries.inc({ server });
    if (event.isHedge) hedges.inc({ server, won: String(outcome === "ok") });
    bytes.inc({ server, direction: "sent" }, event.bytesSent);
    bytes.inc({ server, direction: "received" }, event.bytesReceived);
  };
  const countCall = ({ method, queries, isExhausted }: Extract<LiteEvent, { type: "call" }>): void => {
    perRead.observe({ method }, queries);
    if (isExhausted) exhausted.inc({ method });
  };
  return (event) => {
    if (event.type === "answer") countAnswer(event);
    else if (event.type === "cached") cached.inc({ function: event.function });
    else if (event.type === "shared") shared.inc({ function: event.function });
    else if (event.type === "call") countCall(event);
    else if (event.type === "quarantine") quarantines.inc({ server: event.server });
    else if (event.type === "fork") forks.inc();
  };
}

function addServerGauges(registry: Registry, servers: () => readonly LiteServerStatus[]): void {
  const gauge = memberGauges(registry, "chain_query_lite_server", "server", servers);
  gauge("ready", "Whether a lite server is connected and trusted", "min", ({ state }) => Number(state === "ready"));
  gauge("quarantined", "Whether a lite server is left alone because it gave a wrong answer", "max", ({ state }) =>
    Number(state === "quarantined"),
  );
  gauge("head_seqno", "Newest masterchain block of a lite server", "max", ({ seqno }) => seqno);
  gauge("lag_seconds", "Delay of its blocks behind the blocks of the first server", "max", ({ lag }) => lag);
  gauge("in_flight", "Queries that a lite server is answering", "sum", ({ inFlight }) => inFlight);
}

const databaseBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** Adds the metrics. Returns the function that counts a read. */
export function addDatabaseMetrics(
  registry: Registry,
  databases: () => readonly DatabaseStatus[],
): NonNullable<DatabaseEvents["onRead"]> {
  const gauge = memberGauges(registry, "chain_query_database", "database", databases);
  gauge("in_service", "Whether a database is read from", "min", ({ state }) => Number(state === "ready"));
  gauge("head_seqno", "Newest masterchain block of a database", "max", ({ seqno }) => seqno);
  gauge("lag_seconds", "Time for which a database lacks a block of the primary", "max", ({ lag }) => lag);
  gauge("in_flight", "Reads that wait for a database", "sum", ({ inFlight }) => inFlight);
  const reads = new Histogram({
    name: "chain_query_database_read_duration_seconds",
    help: "Time of a read from a database, by database and whether it failed",
    labelNames: ["database", "failed"],
    buckets: databaseBuckets,
    registers: [registry],
  });
  return (database, seconds, hasFailed) => reads.observe({ database, failed: String(hasFailed) }, seconds);
}

/** Adds the high-water mark of several instances. It is above the heads of all databases for a short time only. */
export function addMarkMetric(registry: Registry, read: () => number | undefined): void {
  new Gauge({
    name: "chain_query_high_water_mark_seqno",
    help: "Newest masterchain block in a response of any instance; 0 while Redis is unavailable",
    registers: [registry],
    aggregator: "max",
    collect() {
      this.set(read() ?? 0);
    },
  });
}

/**
 * Returns a function that adds a gauge with one value for each lite server or database, under a label with its name.
 *
 * @param members - Read for each collection: the value of a removed member disappears.
 */
function memberGauges<Member extends { readonly name: string }>(
  registry: Registry,
  prefix: string,
  label: string,
  members: () => readonly Member[],
): (name: string, help: string, aggregator: "max" | "min" | "sum", value: (member: Member) => number | undefined) => void {
  return (name, help, aggregator, value) => {
    new Gauge({
      name: `${prefix}_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      aggregator,
      collect() {
        this.reset();
        for (const member of members()) {
          const known = value(member);
          if (known !== undefined) this.set({ [label]: member.name }, known);
        }
      },
    });
  };
}
