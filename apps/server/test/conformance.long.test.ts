/** The conformance kit, and the contract's Arazzo workflows as Redocly CLI runs them, against the service. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { validateService } from "@chain-query/conformance";
import { madeChain } from "@chain-query/local-chain/testing";
import { RESHARDED } from "@chain-query/testing/chains";
import { describe, expect, test } from "vitest";
import { busiestAddress, busiestOf, internalMessages, knownChain, messageKey, rawAddress } from "./fixtures/chain.ts";
import { sharedService, startService } from "./fixtures/service.ts";

const service = sharedService();
const profile = { profile: "live", accounts: [busiestAddress(0), busiestAddress()], seed: 1 } as const;

describe("the conformance kit", () => {
  test("passes every check on a chain whose shards split and merge", async () => {
    const folder = await madeChain(RESHARDED);
    await using resharded = await startService({
      source: { kind: "chain", folder },
      retention: RESHARDED.steps * RESHARDED.blockInterval,
    });
    // With short and with long histories.
    const accounts = (await busiestOf(folder, 60)).filter((_, i) => i % 6 === 0).toReversed();
    const { results } = await validateService({ ...profile, accounts, baseUrl: resharded.url, fuzz: 100 });
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });

  test("finds the limits as they are documented", async () => {
    await using limited = await startService({ keylessRate: 1 });
    const { text } = await limited.keys.add("conformance", { rate: 0 });
    const { results } = await validateService({ ...profile, baseUrl: limited.url, apiKey: text, checkLimits: true, fuzz: 5 });
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const limits = results.filter(({ id }) => id.startsWith("limits/"));
    expect(limits.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
  });
});

const manifest = new URL(import.meta.resolve("@chain-query/openapi/package.json"));
const folder = fileURLToPath(new URL("workflows/", manifest));
const workflows = readdirSync(folder).filter((file) => file.endsWith(".arazzo.yaml"));
/** Redocly CLI is a dependency of the openapi package, which lints the workflows with it. */
const redocly = createRequire(manifest).resolve("@redocly/cli/bin/cli.js");

/** An account with three pages of two transactions, and a consumed message that was the first one its transaction sent. */
function inputs(): Record<string, string> {
  const history = knownChain().histories.find(({ length }) => length === 6 || length === 5);
  const sent = internalMessages().find(
    ({ message, sentBy }) =>
      sentBy.outMessages[0]?.createdLt === message.createdLt && knownChain().reader.findReceiver(message) !== undefined,
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
