/** Runs the contract's Arazzo workflows against the mock with Redocly, which also lints them. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { startMock } from "@chain-query/mock";
import { expect, test } from "vitest";

const manifest = new URL(import.meta.resolve("@chain-query/openapi/package.json"));
const folder = fileURLToPath(new URL("workflows/", manifest));
const workflows = readdirSync(folder).filter((file) => file.endsWith(".arazzo.yaml"));

/** Redocly is a dependency of the contract's package. */
const redocly = createRequire(manifest).resolve("@redocly/cli/bin/cli.js");
const env = {
  ...process.env,
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  NO_COLOR: "1",
  FORCE_COLOR: "0",
};

function run(files: readonly string[], url: string): Promise<{ isFailed: boolean; output: string }> {
  const args = [redocly, "respect", ...files, "--server", `chain-query=${url}`];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ isFailed: error !== null, output: stdout + stderr }),
    );
  });
}

test("all four workflows succeed", async () => {
  const names = ["account-to-history", "head-to-block", "health-of-shards", "message-to-transactions"];
  expect(workflows).toEqual(names.map((name) => `${name}.arazzo.yaml`));
  await using mock = await startMock();
  const { isFailed, output } = await run(workflows, mock.url);
  const passed = [...output.matchAll(/Workflows: (.*)/g)].map(([, counts]) => counts);
  expect([isFailed, passed], output).toEqual([false, names.map(() => "1 passed, 1 total")]);
});

test("a workflow fails at a failed response", async () => {
  await using mock = await startMock();
  mock.override("lookupBlock", 504);
  const { isFailed, output } = await run(["head-to-block.arazzo.yaml"], mock.url);
  expect([isFailed, output]).toEqual([true, expect.stringMatching(/Workflows: .*1 failed/)]);
});
