/** Metrics of the databases of one process. Databases are named by what they are for, such as `replica 1`, not by their hosts. */
import type { DatabaseEvents, DatabaseStatus } from "@chain-query/postgres-store";
import { Gauge, Histogram, type Registry } from "prom-client";
import { memberGauges } from "./member-gauges.ts";

const buckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** Adds the metrics. Returns the function that counts a read. */
export function addDatabaseMetrics(
  registry: Registry,
  databases: () => readonly DatabaseStatus[],
): NonNullable<DatabaseEvents["onRead"]> {
  const gauge = memberGauges(registry, "chain_query_database", "database", databases);
  gauge("in_service", "Whether a database is read from", "min", ({ state }) => Number(state === "ready"));
  gauge("head_seqno", "Newest masterchain block of a database", "max", ({ seqno }) => seqno);
  gauge("lag_seconds", "Time for which a database lacks a block that the primary has", "max", ({ lag }) => lag);
  gauge("in_flight", "Reads that wait for a database", "sum", ({ inFlight }) => inFlight);
  const reads = new Histogram({
    name: "chain_query_database_read_duration_seconds",
    help: "Time of a read from a database, by database and whether it failed",
    labelNames: ["database", "failed"],
    buckets,
    registers: [registry],
  });
  return (database, seconds, hasFailed) => reads.observe({ database, failed: String(hasFailed) }, seconds);
}

/** Adds the head that several instances share. It is never above the heads of all databases for long. */
export function addRegisterMetric(registry: Registry, read: () => Promise<number | undefined>): void {
  new Gauge({
    name: "chain_query_head_register_seqno",
    help: "Newest masterchain block that any instance has answered with; 0 while Redis does not say",
    registers: [registry],
    aggregator: "max",
    async collect() {
      this.set((await read()) ?? 0);
    },
  });
}
