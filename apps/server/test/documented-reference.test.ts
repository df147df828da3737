/** The guide "Service reference" names every option with its default, and every metric with its labels. */

import { readFileSync } from "node:fs";
import { addLiteMetrics } from "@chain-query/lite/metrics";
import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { parseArguments } from "../src/command/arguments.ts";
import { addLogMetrics } from "../src/observability/log.ts";
import { addProcessMetrics, addQueryMetrics, createMetrics } from "../src/observability/metrics.ts";
import { addDatabaseMetrics } from "../src/processes/open-postgres.ts";

const reference = readFileSync(new URL("../../docs/guides/service-reference.md", import.meta.url), "utf8");

/** The cells of the rows below a heading. */
function rowsOf(heading: string): string[][] {
  const section = reference.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("names every option, with the default that the help shows", () => {
  const help = parseArguments(["--help"], {});
  const [usage = ""] = help.command === "print" ? help.text.split("\n\nlite: ") : [];
  const options = Array.from(usage.matchAll(/^ {2}--([\w-]+)(.*)$/gm), ([, name = "", text = ""]) => [
    name,
    /\(default ([^)]*)\)/.exec(text)?.[1] ?? "",
  ]);
  expect(options.length).toBeGreaterThan(20);
  const documented = rowsOf("Options").map(([option = "", value = ""]) => [option.slice(3, -1), value.replaceAll("`", "")]);
  // The help says what a delay of 0 means by leaving the option out.
  const shown = documented.map(([name, value]) => [name, name === "shutdown-delay" ? "" : value]);
  expect(shown.sort()).toEqual(options.sort());
});

test("names every metric with its labels", async () => {
  const { registry } = createMetrics(async () => undefined);
  addDatabaseMetrics(registry, () => []);
  addLiteMetrics(
    registry,
    () => [],
    () => undefined,
    () => undefined,
  );
  addQueryMetrics(registry);
  addLogMetrics(registry);
  addProcessMetrics(registry);
  const metrics = registry
    .getMetricsAsArray()
    .filter(({ name }) => !/^(process|nodejs)_/.test(name))
    .map((metric) => {
      const { name, labelNames = [] } = metric as typeof metric & { labelNames?: readonly string[] };
      return [name.replace("chain_query_", ""), labelNames.join(", ")];
    });
  const documented = rowsOf("Metrics").flatMap(([names = "", labels = ""]) =>
    Array.from(names.matchAll(/`(\w+)`/g), ([, name = ""]) => [name, labels]),
  );
  // Those of Redis and of restarts are made with their connection and processes.
  const others = ["redis_ready", "restarts_total"];
  expect(documented.filter(([name = ""]) => !others.includes(name)).sort()).toEqual(metrics.sort());
  expect(documented.filter(([name = ""]) => others.includes(name))).toHaveLength(others.length);
});

test("the alerts, the dashboard and the runbook name metrics that are documented", () => {
  const documented = rowsOf("Metrics").flatMap(([names = ""]) => Array.from(names.matchAll(/`(\w+)`/g), ([, name]) => name));
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const known = new Set([
    ...documented.map((name) => `chain_query_${name}`),
    ...registry.getMetricsAsArray().map(({ name }) => name),
  ]);
  const files = ["server/deploy/prometheus-rules.yaml", "server/deploy/grafana-dashboard.json", "docs/guides/runbook.md"];
  for (const file of files) {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    const used = text.match(/\b(chain_query_(?!indexer_)|nodejs_|process_)[a-z_0-9]+/g) ?? [];
    expect(new Set(used).size, file).toBeGreaterThan(1);
    const isKnown = (name: string): boolean => known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ""));
    expect(
      used.filter((name) => !isKnown(name)),
      file,
    ).toEqual([]);
  }
});
