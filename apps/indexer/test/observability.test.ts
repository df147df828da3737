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
