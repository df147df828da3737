import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { commandFor } from "../../src/test/results.ts";
import { root } from "../../src/workspace/packages.ts";

const path = "apps/tools/test/test/results.test.ts";

/** Runs the command that a failed run prints for a test. */
function rerun(name: string) {
  const command = commandFor({ path, name });
  const program = fileURLToPath(import.meta.resolve("../../src/test/command.ts"));
  const run = command?.replace("pnpm test:unit", `"$NODE" --conditions=@chain-query/source ${program} unit`);
  return spawnSync("sh", ["-c", `${run}`], { cwd: root, encoding: "utf8", env: { ...process.env, NODE: process.execPath } });
}

test("the command for a failed test runs it alone, also one in a describe", () => {
  const { stdout, status } = rerun('commandFor > of {"path":"audit"} is undefined');
  expect(stdout).toMatch(/^1 passed, 0 failed, \d+ skipped$/m);
  expect(status).toBe(0);
});

test("a name that no test has is an error", () => {
  const { stderr, status } = rerun("commandFor of");
  expect(stderr).toContain("no test with such a path and name ran");
  expect(status).toBe(2);
});
