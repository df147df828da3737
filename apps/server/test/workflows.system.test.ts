/** The contract's Arazzo workflows, run by Redocly CLI against the service. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { internalMessages, knownChain, messageKey, rawAddress } from "./fixtures/chain.ts";
import { sharedService } from "./fixtures/service.ts";

const manifest = new URL(import.meta.resolve("@chain-query/openapi/package.json"));
const folder = fileURLToPath(new URL("workflows/", manifest));
const workflows = readdirSync(folder).filter((file) => file.endsWith(".arazzo.yaml"));
/** Redocly CLI is a dependency of the openapi package, which lints the workflows with it. */
const redocly = createRequire(manifest).resolve("@redocly/cli/bin/cli.js");

const service = sharedService();

/** An account with three pages of two transactions, and a consumed message that was the first one its transaction sent. */
function inputs(): Record<string, string> {
  const history = knownChain().histories.find(({ length }) => length === 6 || length === 5);
  const sent = internalMessages().find(
    ({ message, sentBy }) =>
      sentBy.outMessages[0]?.createdLt === message.createdLt && knownChain().reader.locate(message).consumer !== undefined,
  );
  if (history?.[0] === undefined || sent === undefined) throw new Error("the chain has such an account and such a message");
  return { address: rawAddress(history[0].account), ...messageKey(sent.message) };
}

test("the workflows pass against the service", async () => {
  const args = ["respect", ...workflows, "--server", `chain-query=${service.url}`, "--input", JSON.stringify(inputs())];
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [redocly, ...args], { cwd: folder, env });
  const passed = (stdout + stderr).match(/Workflows: 1 passed, 1 total/g);
  expect(passed, stdout + stderr).toHaveLength(workflows.length);
  expect(workflows.length).toBeGreaterThan(0);
});
