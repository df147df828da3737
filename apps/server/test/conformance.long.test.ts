/** The conformance kit, Prism, and the contract's Arazzo workflows as Redocly CLI runs them, against the service. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { validateService } from "@chain-query/conformance";
import { openProducer } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { RESHARDED } from "@chain-query/testing/chains";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { describe, expect, test } from "vitest";
import {
  busiestAddress,
  busiestOf,
  copyChain,
  internalMessages,
  knownChain,
  messageKey,
  rawAddress,
} from "./fixtures/chain.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "./fixtures/lite-network.ts";
import { sharedService, startService, temporaryFolder } from "./fixtures/service.ts";

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

  test("passes every check on lite servers while blocks are made", async () => {
    using place = temporaryFolder();
    const chain = copyChain(place.path);
    const producer = await openProducer(chain);
    await using network = await startLiteNetwork(chain, 3);
    await using growing = await startService(onLiteServers(network.config));
    const before = producer.head.seqno;
    await waitForHead(growing.url, before);
    const stop = new AbortController();
    const growth = (async () => {
      for (; !stop.signal.aborted; await sleep(100)) await producer.step();
      await producer.close();
    })();
    const { results } = await validateService({ ...profile, baseUrl: growing.url, fuzz: 20 });
    stop.abort();
    await growth;
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(producer.head.seqno).toBeGreaterThan(before + 1);
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

test("Prism, a validator that is not ours, finds no violation of the contract", async () => {
  const operations = await getHttpOperationsFromSpec(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")));
  const proxy = createServer(operations, {
    cors: false,
    components: { logger: createLogger("proxy", { enabled: false }) },
    config: {
      ...{ isProxy: true, upstream: new URL(service.url), upstreamProxy: undefined, mock: { dynamic: false } },
      // Invalid requests are answered as well.
      ...{ errors: true, validateRequest: false, validateResponse: true, checkSecurity: false },
    },
  });
  const violations: string[] = [];
  let answered = 0;
  const { request } = proxy.prism;
  Object.assign(proxy.prism, {
    request: (...asked: Parameters<typeof request>): ReturnType<typeof request> => {
      const run = request(...asked);
      return async () => {
        const result = await run();
        if (result._tag === "Right") {
          answered++;
          for (const { path = [], message } of result.right.validations.output)
            violations.push(`${asked[0].method} ${asked[0].url.path}: ${path.join(".")} ${message}`);
        }
        return result;
      };
    },
  });
  const baseUrl = await proxy.listen(0, "127.0.0.1");
  // The first answer of Prism takes longer than the timeout if the machine is busy.
  expect((await fetch(`${baseUrl}/api/v2/getMasterchainInfo`)).status).toBe(200);
  // The proxy never answers a body that is not JSON, which the kit sends to five operations.
  await validateService({ ...profile, baseUrl, fuzz: 40, timeout: 2_000 });
  await proxy.close();
  expect(violations).toEqual([]);
  expect(answered).toBeGreaterThan(100);
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
