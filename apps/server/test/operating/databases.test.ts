import type { DatabaseStatus } from "@chain-query/postgres-store";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { addDatabaseMetrics } from "../../src/operating/databases.ts";

test("a database that no longer tells its head has no head in the metrics", async () => {
  const registry = new Registry();
  let status: DatabaseStatus = { name: "primary", state: "ready", seqno: 7, lag: 0, inFlight: 0 };
  addDatabaseMetrics(registry, () => [status]);
  const line = 'chain_query_database_head_seqno{database="primary"}';
  expect(await registry.metrics()).toContain(`${line} 7`);
  status = { name: "primary", state: "foreign", lag: 0, inFlight: 0 };
  expect(await registry.metrics()).not.toContain(line);
});
