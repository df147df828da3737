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

function run(file: string, url: string): Promise<{ isFailed: boolean; output: string }> {
  const args = [redocly, "respect", file, "--server", `chain-query=${url}`];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ isFailed: error !== null, output: stdout + stderr }),
    );
  });
}

test.each(workflows)("%s succeeds", async (file) => {
  await using mock = await startMock();
  const { isFailed, output } = await run(file, mock.url);
  expect([isFailed, /Workflows: (.*)/.exec(output)?.[1]], output).toEqual([false, "1 passed, 1 total"]);
});

test("a workflow fails at a failed answer", async () => {
  await using mock = await startMock();
  mock.override("lookupBlock", 504);
  const { isFailed, output } = await run("head-to-block.arazzo.yaml", mock.url);
  expect(isFailed, output).toBe(true);
});

test("there are four workflows", () => {
  const names = ["account-to-history", "head-to-block", "health-of-shards", "message-to-transactions"];
  expect(workflows).toEqual(names.map((name) => `${name}.arazzo.yaml`));
});
