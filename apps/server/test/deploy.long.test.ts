import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { debianProgram } from "@chain-query/testing/services";
import { expect, test } from "vitest";

test("Prometheus accepts the rules", async ({ skip }) => {
  const prometheus = await debianProgram("prometheus");
  if ("reason" in prometheus) return skip(prometheus.reason);
  const rules = fileURLToPath(new URL("../deploy/prometheus-rules.yaml", import.meta.url));
  const env = { ...process.env, ...prometheus.env };
  const check = spawnSync(join(dirname(prometheus.path), "promtool"), ["check", "rules", rules], { encoding: "utf8", env });
  expect(`${check.stdout}${check.stderr}`).toMatch(/SUCCESS: \d\d rules found/);
  expect(check.status).toBe(0);
});
