import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { IndexerMonitor } from "../src/monitor.ts";
import { createMetrics } from "../src/observability.ts";

test("the alerts, the dashboard and the runbook name metrics of the indexer that exist", () => {
  const known = createMetrics(new IndexerMonitor())
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  const files = ["server/deploy/prometheus-rules.yaml", "server/deploy/grafana-dashboard.json", "docs/guides/runbook.md"];
  const texts = files.map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
  const used = texts.flatMap((text) => text.match(/\bchain_query_indexer_[a-z_]+/g) ?? []);
  expect(new Set(used).size).toBeGreaterThan(4);
  expect(used.filter((name) => !known.includes(name))).toEqual([]);
});

test("an indexer that falls behind says so in the metrics, with its queries", async () => {
  const queries = { needed: 44, sent: 30, limit: 40 };
  const fallsBehind = { steps: 30, seconds: 9, chainStepsPerSecond: 2, queries };
  const state = { phase: "indexing", stepsPerSecond: 1, transactionsPerSecond: 0, queriesPerStep: 17, fallsBehind };
  const exposed = await createMetrics({ state } as unknown as IndexerMonitor).registry.metrics();
  for (const line of ["falls_behind 1", "behind_steps 30", "queries_needed 44", "queries_limit 40", "queries_per_step 17"])
    expect(exposed).toContain(`\nchain_query_indexer_${line}\n`);
});
