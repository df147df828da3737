/** Metrics of the databases of one process. Databases are named by what they are for, such as `replica 1`, not by their hosts. */
import { Gauge, type Registry } from "prom-client";
import type { DatabaseStatus } from "../sources/postgres-databases.ts";

/** Adds the metrics. */
export function addDatabaseMetrics(registry: Registry, databases: () => readonly DatabaseStatus[]): void {
  const gauge = (
    name: string,
    help: string,
    aggregator: "max" | "min" | "sum",
    value: (database: DatabaseStatus) => number | undefined,
  ): void => {
    new Gauge({
      name: `chain_query_database_${name}`,
      help,
      labelNames: ["database"],
      registers: [registry],
      aggregator,
      collect() {
        for (const database of databases()) {
          const known = value(database);
          if (known !== undefined) this.set({ database: database.name }, known);
        }
      },
    });
  };
  gauge("in_service", "Whether a database is read from", "min", ({ state }) => Number(state === "ready"));
  gauge("head_seqno", "Newest masterchain block of a database", "max", ({ seqno }) => seqno);
  gauge("lag_seconds", "Time for which a database lacks a block that the primary has", "max", ({ lag }) => lag);
  gauge("in_flight", "Reads that wait for a database", "sum", ({ inFlight }) => inFlight);
}
