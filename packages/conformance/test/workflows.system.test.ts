/** The contract's workflows, run by the tool that lints them, against the mock. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type Mock, startMock } from "@chain-query/mock";
import { afterAll, beforeAll, expect, test } from "vitest";

const manifest = new URL(import.meta.resolve("@chain-query/openapi/package.json"));
const folder = fileURLToPath(new URL("workflows/", manifest));
const workflows = readdirSync(folder).filter((file) => file.endsWith(".arazzo.yaml"));

/** The runner belongs to the contract's package, which lints the workflows with it. */
const redocly = createRequire(manifest).resolve("@redocly/cli/bin/cli.js");

let mock: Mock;

beforeAll(async () => {
  mock = await startMock();
});

afterAll(() => mock.close());

function run(file: string, url: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      NO_COLOR: "1",
      FORCE_COLOR: "0",
    };
    const child = spawn(process.execPath, [redocly, "respect", file, "--server", `chain-query=${url}`], { cwd: folder, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

test.each(workflows)("%s runs against the mock", async (file) => {
  const { code, output } = await run(file, mock.url);
  expect([code, /Workflows: (.*)/.exec(output)?.[1]], output).toEqual([0, "1 passed, 1 total"]);
});

test("a workflow that meets a wrong answer fails", async () => {
  await using broken = await startMock();
  broken.override("lookupBlock", 504);
  const { code, output } = await run("head-to-block.arazzo.yaml", broken.url);
  expect(code, output).toBe(1);
});

test("there is a workflow for each story", () => {
  expect(workflows).toEqual(
    ["account-to-history", "head-to-block", "health-of-shards", "message-to-transactions"].map((name) => `${name}.arazzo.yaml`),
  );
});
