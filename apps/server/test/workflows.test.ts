/** The contract's stories, run by the tool that lints them, over this chain's accounts and messages. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rawOf } from "./known.ts";
import { overChain } from "./over-chain.ts";

const manifest = new URL(import.meta.resolve("@chain-query/openapi/package.json"));
const folder = fileURLToPath(new URL("workflows/", manifest));
const workflows = readdirSync(folder).filter((file) => file.endsWith(".arazzo.yaml"));

/** The runner belongs to the contract's package, which lints the workflows with it. */
const redocly = createRequire(manifest).resolve("@redocly/cli/bin/cli.js");

const over = overChain();

/** An account with a history of three pages of two, and a message that arrived and was the first that its transaction sent. */
function inputs(): Record<string, string> {
  const history = over.chain.histories.find(({ length }) => length === 6 || length === 5);
  const sent = over.chain.transactions.flatMap(({ outMessages }) => outMessages.slice(0, 1));
  const arrived = sent.find(({ source, destination, createdLt }) =>
    source === undefined || destination === undefined
      ? false
      : over.chain.reader.locate({ source, destination, createdLt }).consumer !== undefined,
  );
  const nobody = { workchain: 0, hash: new Uint8Array(32) };
  return {
    address: rawOf(history?.[0]?.account ?? nobody),
    source: rawOf(arrived?.source ?? nobody),
    destination: rawOf(arrived?.destination ?? nobody),
    created_lt: String(arrived?.createdLt),
  };
}

function run(file: string): Promise<{ code: number | null; output: string }> {
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
  };
  const args = ["respect", file, "--server", `chain-query=${over.url}`, "--input", JSON.stringify(inputs())];
  const child = spawn(process.execPath, [redocly, ...args], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

test.each(workflows)("%s runs against the service", async (file) => {
  const { code, output } = await run(file);
  expect([code, /Workflows: (.*)/.exec(output)?.[1]], output).toEqual([0, "1 passed, 1 total"]);
});
