/** Metrics of a lite client for Prometheus. Servers are named by the first 8 digits of the ids of their keys. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { LiteEvent } from "./servers/events.ts";
import type { LiteServerStatus } from "./servers/server.ts";

const liteBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Adds the metrics of a client to a registry. Returns a function that counts an event.
 *
 * @param servers - The servers, read for each collection.
 * @param head - The seqno of the head, read for each collection.
 * @param problem - Why no newer block becomes the head, read for each collection.
 *
 * @example
 * ```ts
 * import { liteClient } from "@chain-query/lite";
 * import { addLiteMetrics } from "@chain-query/lite/metrics";
 *
 * const onEvent = addLiteMetrics(registry, () => client.servers, () => client.head?.block.seqno, () => client.problem);
 * const client = liteClient(config, { onEvent });
 * ```
 */
export function addLiteMetrics(
  registry: Registry,
  servers: () => readonly LiteServerStatus[],
  head: () => number | undefined,
  problem: () => string | undefined,
): (event: LiteEvent) => void {
  const registers = [registry];
  addServerGauges(registry, servers);
  new Gauge({
    name: "chain_query_consensus_seqno",
    help: "Sequence number of the newest masterchain block that is verified from the lite servers",
    registers,
    collect() {
      const seqno = head();
      if (seqno !== undefined) this.set(seqno);
    },
  });
  new Gauge({
    name: "chain_query_lite_problem",
    help: "1 while no newer masterchain block can be accepted from the lite servers",
    registers,
    collect() {
      this.set(Number(problem() !== undefined));
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
  const quarantines = new Counter({
    name: "chain_query_lite_quarantines_total",
    help: "How often a server was left alone because it gave a wrong answer",
    labelNames: ["server"],
    registers,
    collect() {
      // A counter that begins with its first event does not increase for Prometheus.
      for (const { name } of servers()) this.inc({ server: name }, 0);
    },
  });
  const overruled = counter("overruled", "Refusals of a server of what another server answers", ["server"]);
  const signatures = counter("signatures_checked", "Signatures of validators that newest blocks were verified with", []);
  const signedForks = counter("signed_forks", "Chains that validators signed beside the verified one", []);
  let verifiedTime: number | undefined;
  new Gauge({
    name: "chain_query_lite_verified_head_age_seconds",
    help: "Seconds since the time of the newest block that was verified by signatures; absent before the first",
    registers,
    collect() {
      if (verifiedTime === undefined) this.remove();
      else this.set(Math.max(0, Date.now() / 1000 - verifiedTime));
    },
  });

  const countAnswer = (event: Extract<LiteEvent, { type: "answer" }>): void => {
    const { server, outcome } = event;
    if (outcome === "ok") answers.observe({ server, function: event.function }, event.ms / 1000);
    else if (outcome !== "cancelled") errors.inc({ server, class: outcome });
    if (event.isRetry) retries.inc({ server });
    if (event.isHedge) hedges.inc({ server, won: String(outcome === "ok") });
    bytes.inc({ server, direction: "sent" }, event.bytesSent);
    bytes.inc({ server, direction: "received" }, event.bytesReceived);
  };
  return (event) => {
    if (event.type === "answer") countAnswer(event);
    else if (event.type === "cached") cached.inc({ function: event.function });
    else if (event.type === "shared") shared.inc({ function: event.function });
    else if (event.type === "quarantine") quarantines.inc({ server: event.server });
    else if (event.type === "overruled") overruled.inc({ server: event.server });
    else if (event.type === "signed-fork" || event.type === "refused-fork") signedForks.inc();
    else if (event.type === "verified") {
      signatures.inc(event.signatures);
      verifiedTime = event.blockTime;
    }
  };
}

function addServerGauges(registry: Registry, servers: () => readonly LiteServerStatus[]): void {
  const gauge = gaugesOf(registry, "chain_query_lite_server", "server", servers);
  gauge("ready", "Whether a lite server is connected, and has reported a verified block", ({ state }) =>
    Number(state === "ready"),
  );
  gauge("disputed", "Whether a lite server is connected, and has not reported a verified block", ({ state }) =>
    Number(state === "disputed"),
  );
  gauge("quarantined", "Whether a lite server is left alone because it gave a wrong answer", ({ state }) =>
    Number(state === "quarantined"),
  );
  gauge("head_seqno", "Newest masterchain block of a lite server", ({ seqno }) => seqno);
  gauge("lag_seconds", "Delay of its blocks behind the blocks of the first server", ({ lag }) => lag);
  gauge("in_flight", "Queries that a lite server is answering", ({ inFlight }) => inFlight);
}

/**
 * Returns a function that adds a gauge with a value for each of some named things, such as servers or databases. Things without a value are
 * left out, and so are removed ones.
 *
 * @param prefix - Of the gauges' names.
 * @param label - The label with the name of a thing.
 * @param things - Read for each collection.
 *
 * @example
 * ```ts
 * import { gaugesOf } from "@chain-query/lite/metrics";
 *
 * const gauge = gaugesOf(registry, "my_lite_server", "server", () => client.servers);
 * gauge("latency_ms", "Average latency", ({ latency }) => latency);
 * ```
 */
export function gaugesOf<Thing extends { readonly name: string }>(
  registry: Registry,
  prefix: string,
  label: string,
  things: () => readonly Thing[],
): (name: string, help: string, value: (thing: Thing) => number | undefined) => void {
  return (name, help, value) => {
    new Gauge({
      name: `${prefix}_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const thing of things()) {
          const known = value(thing);
          if (known !== undefined) this.set({ [label]: thing.name }, known);
        }
      },
    });
  };
}
