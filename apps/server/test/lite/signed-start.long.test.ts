/** The command on lite servers of a chain with validators: the progress of the first start, and the metrics. */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { silence, unknownSignatures } from "@chain-query/lite/faults";
import { madeChain } from "@chain-query/local-chain/testing";
import { until } from "@chain-query/testing/until";
import { beforeAll, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { startWith } from "../fixtures/command.ts";
import { kept, messages, ready, serve } from "../fixtures/lite-command.ts";
import { namedBlock, onLiteServers, startLiteNetwork, trust, waitForHead } from "../fixtures/lite-network.ts";
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

test("signatures are verified from the init_block on, and a terminal shows how far", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 1);
  trust(network.config, { init_block: await namedBlock(right, INIT) });
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
  expect(stderr).not.toContain("there is no folder for the anchor");
});

test("without a folder for the anchor, the service runs, and the log says what to do", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 1);
  const place = join(folder.path, "file");
  writeFileSync(place, "");
  const limits = ["--keyless-rate", "0", "--max-head-age", "0", "--keys", join(folder.path, "keys")];
  const environment = { STATE_DIRECTORY: join(place, "state") };
  await using command = startWith(environment, "--port", "0", ...limits, "--lite-servers", network.config);
  await ready(await command.url);
  const line = command.log().find(({ msg }) => String(msg).startsWith("there is no folder for the anchor"));
  expect(line).toMatchObject({
    level: 40,
    msg: expect.stringContaining("name a file with --lite-anchor"),
    reason: expect.stringContaining("ENOTDIR"),
  });
});

test("without an init_block, signatures are verified from the zero state on", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 1);
  await using command = serve(folder.path, network.config, "--lite-anchor", join(folder.path, "anchor.json"));
  const url = await command.url;
  await ready(url);
  const { signatures_checked_total: checked } = await signatureMetrics(url);
  expect(checked).toBeGreaterThanOrEqual((HEAD / validators.keyBlocks) * 3);
});

test("a chain that former validators signed is logged and counted, and the service stays ready", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 2);
  await using command = serve(folder.path, network.config);
  const url = await command.url;
  await ready(url);
  await network.stop(1);
  await network.start(1, other);
  await until(async () => (await signatureMetrics(url))["signed_forks_total"] === 1 || undefined);
  const line = "former validators have signed another chain, which is refused; find out which one is right";
  const logged = await until(() => command.log().find(({ msg }) => msg === line));
  expect(logged).toMatchObject({ level: 50, blocks: [{ seqno: HEAD }, { seqno: 15 }] });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test("a hard fork in the file ends the trust in what was verified before it", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 2);
  await network.stop(1);
  await network.start(1, other);
  network.configure([0]);
  trust(network.config, { init_block: await namedBlock(right, INIT) });
  const anchor = join(folder.path, "anchor.json");
  await using command = serve(folder.path, network.config, "--lite-anchor", anchor);
  const url = await command.url;
  await ready(url);
  await until(async () => existsSync(anchor) || undefined);
  const { seqno, ...hashes } = await namedBlock(other, INIT + 2);
  network.configure([1]);
  trust(network.config, { init_block: await namedBlock(right, INIT), hardforks: [{ seqno, ...hashes }] });
  command.child.kill("SIGHUP");
  await until(async () => command.log().some(({ msg }) => msg === kept) || undefined);
  const refusal = `anchor.json: the anchor was verified from block ${INIT} `;
  expect(command.log().find(({ msg }) => msg === kept)).toMatchObject({ reason: expect.stringContaining(refusal) });
  rmSync(anchor);
  command.child.kill("SIGHUP");
  const served = `the newest block so far, ${HEAD}, is not in the chain of its servers; restart to read theirs`;
  await until(() => command.log().some(({ msg, reason }) => msg === kept && reason === served) || undefined);
  expect((await ask(url, "getMasterchainInfo")).body.result).toMatchObject({ last: { seqno: HEAD } });
  command.child.kill("SIGTERM");
  await command.exit;
  rmSync(anchor, { force: true });
  await using next = serve(folder.path, network.config, "--lite-anchor", anchor);
  const nextUrl = await next.url;
  await waitForHead(nextUrl, 15);
  const { result } = (await ask(nextUrl, "getMasterchainInfo")).body;
  expect(result).toMatchObject({ last: { root_hash: (await namedBlock(other, 15)).root_hash } });
});

test.each([
  ["a folder", ".", "name another file"],
  ["in a folder that does not exist", "missing/anchor.json", "create its folder, or name another file"],
])("an anchor that is %s is refused in one line at the start", async (_, path, advice) => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(right, 1);
  await using command = serve(folder.path, network.config, "--lite-anchor", join(folder.path, path));
  const { code, stderr } = await command.exit;
  expect(code).toBe(2);
  expect(stderr.trim().split("\n").at(-1)).toMatch(new RegExp(`: the anchor cannot be .*; ${advice}$`));
  expect(stderr).not.toContain("    at ");
});

test("after validators have signed two chains, all operations respond with 542, also after a restart, until the record is removed", async () => {
  using folder = temporaryFolder();
  // No key block makes one of the chains the only one that descends from the trusted block.
  const options = { ...validators, keyBlocks: "none" } as const;
  await using network = await startLiteNetwork(await madeChain({ ...options, rate: 1, steps: 4 }), 2);
  const environment = { STATE_DIRECTORY: join(folder.path, "state") };
  const limits = ["--keyless-rate", "0", "--max-head-age", "0", "--keys", join(folder.path, "keys")];
  const startHere = () => startWith(environment, "--port", "0", ...limits, "--lite-servers", network.config);
  const line = "validators have signed two chains, nothing is read any more";
  let record = "";
  {
    await using command = startHere();
    const url = await command.url;
    await ready(url);
    await network.stop(1);
    await network.start(1, await madeChain({ ...options, rate: 2, steps: 6 }));
    await until(async () => (await ask(url, "getMasterchainInfo")).status === 542 || undefined);
    const logged = await until(() => command.log().find(({ msg }) => msg === line));
    expect(logged).toMatchObject({ level: 50, seqno: 4, blocks: [{ seqno: 4 }, { seqno: 6 }] });
    const readiness = await fetch(`${url}/readyz`);
    const text = await readiness.text();
    expect([readiness.status, text]).toEqual([503, expect.stringContaining("validators have signed two chains")]);
    record = /remove the file (.+?\.fork), and restart/.exec(text)?.[1] ?? expect.unreachable(text);
    for (const [operation, input] of [
      ["getConsensusBlock", {}],
      ["lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 2 }],
      ["getAddressInformation", { address: `-1:${"5".repeat(64)}` }],
    ] as const) {
      expect((await ask(url, operation, input)).status, operation).toBe(542);
    }
    expect(await signatureMetrics(url)).toMatchObject({ signed_forks_total: 1 });
    await until(() => existsSync(record) || undefined);
    expect(dirname(record)).toBe(environment.STATE_DIRECTORY);
  }
  for (const servers of [[0, 1], [1]]) {
    network.configure(servers);
    await using command = startHere();
    const url = await command.url;
    await until(async () => (await signatureMetrics(url))["signed_forks_total"] === 1 || undefined);
    const { status, body } = await ask(url, "getMasterchainInfo");
    expect([status, JSON.stringify(body)]).toEqual([542, expect.stringContaining(`remove the file ${record}, and restart`)]);
    const logged = await until(() => command.log().find(({ msg }) => msg === line));
    expect(logged).toMatchObject({ seqno: 4, blocks: [{ seqno: 4 }, { seqno: 6 }] });
  }
  rmSync(record);
  network.configure([0]);
  await using command = startHere();
  await ready(await command.url);
});

test("SIGHUP adds honest servers beside three that report blocks and prove nothing", async () => {
  using folder = temporaryFolder();
  const silent = [silence({ name: "getBlockProof" })];
  await using network = await startLiteNetwork(right, 5, [silent, silent, silent]);
  network.configure([3]);
  await using command = serve(folder.path, network.config);
  await ready(await command.url);
  network.configure([0, 1, 2, 3, 4]);
  command.child.kill("SIGHUP");
  const done = "reading from the lite servers of the new file";
  await until(async () => command.log().some(({ msg }) => msg === done || msg === kept) || undefined);
  expect(messages(command)).toContain(done);
});

test("signatures of an unknown form are the reason not to be ready, unless the head is that of a server of the operator", async () => {
  await using network = await startLiteNetwork(right, 2, [[unknownSignatures()], [unknownSignatures()]]);
  const { liteservers } = JSON.parse(readFileSync(network.config, "utf8"));
  const headFrom = new Uint8Array(Buffer.from(liteservers[1].id.key, "base64"));
  await using signed = await startService(onLiteServers(network.config));
  await using believing = await startService(onLiteServers(network.config, { headFrom }));
  await waitForHead(believing.url, HEAD);
  const [own, answer] = [await namedBlock(right, HEAD), await ask(believing.url, "getMasterchainInfo")];
  expect(answer.body.result).toMatchObject({ last: { root_hash: own.root_hash } });
  expect(await (await fetch(`${believing.url}/readyz`)).json()).toEqual({
    ok: true,
    warning: expect.stringMatching(/^the newest block is that of lite server [0-9a-f]{8}, and is not verified by signatures$/),
  });
  const reason = await until(async () => {
    const response = await fetch(`${signed.url}/readyz`);
    expect(response.status).toBe(503);
    const text = await response.text();
    return text.includes("no block is verified yet") ? text : undefined;
  });
  expect(reason).toContain("dec0adde");
});
