import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { debianProgram } from "@chain-query/testing/services";
import { expect, test } from "vitest";

test.for([
  ["check", "../deploy/prometheus-rules.yaml", /SUCCESS: \d\d rules found/],
  ["test", "./fixtures/prometheus-rules.test.yaml", /SUCCESS/],
] as const)("promtool %s rules finds no fault", async ([verb, path, success], { skip }) => {
  const prometheus = await debianProgram("prometheus");
  if ("reason" in prometheus) return skip(prometheus.reason);
  const args = [verb, "rules", fileURLToPath(new URL(path, import.meta.url))];
  const env = { ...process.env, ...prometheus.env };
  const { stdout, stderr, status } = spawnSync(join(dirname(prometheus.path), "promtool"), args, { encoding: "utf8", env });
  expect(`${stdout}${stderr}`).toMatch(success);
  expect(status).toBe(0);
});
