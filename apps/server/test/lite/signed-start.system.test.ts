/** The command on lite servers of a chain with validators: the default level of trust, the progress of the first start, and the metrics. */
import { readFileSync, writeFileSync } from "node:fs";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { unknownSignatures } from "@chain-query/lite-server/testing";
import { openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { beforeAll, expect, test } from "vitest";
import { until } from "../fixtures/ask.ts";
import { startWith } from "../fixtures/command.ts";
import { messages, ready, serve } from "../fixtures/lite-command.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";

const validators = { seed: 6, accounts: 10, shards: 1, validators: 4, keyBlocks: 2, blockInterval: 1 } as const;
const [HEAD, INIT] = [12, 4];
let [right, other] = ["", ""];
beforeAll(async () => {
  [right, other] = [
    await madeChain({ ...validators, rate: 1, steps: HEAD }),
    await madeChain({ ...validators, rate: 2, steps: 15 }),
  ];
});

/** The metrics of the verification of signatures, by name without the prefix. */
async function signatureMetrics(url: string): Promise<Partial<Record<string, number>>> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).matchAll(
    /^chain_query_lite_(verified_head_age_seconds|signatures_checked_total|signed_forks_total) (.+)$/gm,
  );
  return Object.fromEntries(Array.from(lines, ([, name = "", value]) => [name, Number(value)]));
}

/** Makes a key block the `init_block` of a configuration. */
async function nameInitBlock(file: string): Promise<void> {
  const chain = openChain(right);
  const id = chain.block(MASTERCHAIN, { seqno: INIT })?.id ?? expect.unreachable();
  await chain.close();
  const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString("base64");
  const config = JSON.parse(readFileSync(file, "utf8"));
  const hashes = { root_hash: base64(id.rootHash), file_hash: base64(id.fileHash) };
  const initBlock = { ...config.validator.init_block, seqno: INIT, ...hashes };
  writeFileSync(file, JSON.stringify({ ...config, validator: { ...config.validator, init_block: initBlock } }));
}

test("an init_block makes signatures the default, and a terminal shows how far they are verified", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 1);
  await nameInitBlock(network.config);
  // The command takes its stderr for a terminal.
  const terminal = { NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY=true" };
  const limits = ["--keyless-rate", "0", "--max-head-age", "0", "--keys", folder.path];
  await using command = startWith(terminal, "--port", "0", ...limits, "--lite-servers", network.config);
  const url = await command.url;
  await ready(url);
  const { verified_head_age_seconds: age, ...counts } = await signatureMetrics(url);
  // Three or four of the signatures of each key block after the init block.
  expect(counts["signatures_checked_total"]).toBeGreaterThanOrEqual(((HEAD - INIT) / validators.keyBlocks) * 3);
  expect(counts["signed_forks_total"]).toBe(0);
  expect(age).toBeGreaterThan(0);
  command.child.kill("SIGTERM");
  const { stderr } = await command.exit;
  expect(stderr).toContain(`\r\u001b[Kverifying signatures: key block ${HEAD} of ${HEAD}, `);
  expect(stderr).toMatch(/"trust":"signatures".*"msg":"listening"/);
  expect(stderr).toContain("without --lite-anchor, each start verifies all signatures since the init_block");
});

test("without an init_block, proofs are the default, and the log says so", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 1);
  await using command = serve(folder.path, network.config);
  const url = await command.url;
  await ready(url);
  expect(command.log().find(({ msg }) => msg === "listening")).toMatchObject({ trust: "proofs" });
  expect(messages(command)).toContain("the file names no init_block, so the newest block is not verified by signatures");
  expect(await signatureMetrics(url)).toEqual({ signatures_checked_total: 0, signed_forks_total: 0 });
});

test("a chain that former validators signed is logged and counted, and the service stays ready", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 2);
  await using command = serve(folder.path, network.config, "--trust", "signatures");
  const url = await command.url;
  await ready(url);
  await network.stop(1);
  await network.start(1, other);
  await until(async () => (await signatureMetrics(url))["signed_forks_total"] === 1 || undefined);
  const line = "former validators have signed another chain, which is refused; find out which one is right";
  expect(command.log().find(({ msg }) => msg === line)).toMatchObject({ level: 50, blocks: [{ seqno: HEAD }, { seqno: 15 }] });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test("signatures of an unknown form are the reason not to be ready, and proofs still work", async () => {
  await using network = await startLiteNetwork(right, 1, [[unknownSignatures()]]);
  await using signed = await startService(onLiteServers(network.config, "signatures"));
  await using proved = await startService(onLiteServers(network.config, "proofs"));
  await waitForHead(proved.url, HEAD);
  const reason = await until(async () => {
    const response = await fetch(`${signed.url}/readyz`);
    expect(response.status).toBe(503);
    const text = await response.text();
    return text.includes("no block is verified yet") ? text : undefined;
  });
  expect(reason).toContain("dec0adde");
});
