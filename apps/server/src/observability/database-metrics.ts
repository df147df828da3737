/** Metrics of databases, which are named by their role, such as `replica 1`. */
import { gaugesOf } from "@chain-query/lite/metrics";
import type { DatabaseEvents, DatabaseStatus } from "@chain-query/postgres-store";
import { Histogram, type Registry } from "prom-client";

const databaseBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** Adds the metrics. Returns the function that counts a read. */
export function addDatabaseMetrics(
  registry: Registry,
  databases: () => readonly DatabaseStatus[],
): NonNullable<DatabaseEvents["onRead"]> {
  const gauge = gaugesOf(registry, "chain_query_database", "database", databases);
  gauge("in_service", "Whether a database is read from", ({ state }) => Number(state === "ready"));
  gauge("head_seqno", "Newest masterchain block of a database", ({ seqno }) => seqno);
  gauge("lag_seconds", "Time for which a database lacks a block of the primary", ({ lag }) => lag);
  gauge("in_flight", "Reads that wait for a database", ({ inFlight }) => inFlight);
  const reads = new Histogram({
    name: "chain_query_database_read_duration_seconds",
    help: "Time of a read from a database, by database and whether it failed",
    labelNames: ["database", "failed"],
    buckets: databaseBuckets,
    registers: [registry],
  });
  return (database, seconds, hasFailed) => reads.observe({ database, failed: String(hasFailed) }, seconds);
}
