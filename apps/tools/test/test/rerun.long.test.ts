import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandFor } from "../../src/test/reporter.ts";
import { root } from "../../src/workspace/packages.ts";

const path = "apps/tools/test/test/reporter.test.ts";

/** Runs the command that a failed run prints for a test, without its build. */
function rerun(name: string) {
  const command = commandFor({ path, name })?.replace("pnpm test:unit", "node_modules/.bin/vitest run --project unit");
  return spawnSync("sh", ["-c", `${command}`], { cwd: root, encoding: "utf8" });
}

test("the command for a failed test runs it alone, also one in a describe", () => {
  const { stdout, status } = rerun('commandFor > of {"path":"audit"} is undefined');
  expect(stdout).toMatch(/^1 passed, 0 failed, \d+ skipped\n$/m);
  expect(status).toBe(0);
});

test("a name that no test has is an error", () => {
  const { stdout, status } = rerun("commandFor of");
  expect(stdout).toMatch(/^ {2}no test with such a name$/m);
  expect(stdout).toMatch(/^0 passed, 1 failed, \d+ skipped\n$/m);
  expect(status).toBe(1);
});
