/** The command on lite servers of a chain with validators: the progress of the first start, and the metrics. */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unknownSignatures } from "@chain-query/lite/faults";
import { madeChain } from "@chain-query/local-chain/testing";
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { ask, readinessOf } from "../fixtures/ask.ts";
import { type RunningCommand, startWith } from "../fixtures/command.ts";
import { namedBlock, onLiteServers, ready, startLiteNetwork, trust, waitForHead } from "../fixtures/lite-network.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";

const validators = { seed: 6, accounts: 10, shards: 1, validators: 4, keyBlocks: 2, blockInterval: 1 } as const;
const [HEAD, INIT] = [12, 4];
const right = await madeChain({ ...validators, rate: 1, steps: HEAD });

/** Starts the command without limits, on chains that may be old. */
function startOn(environment: Record<string, string>, servers: string, folder: string): RunningCommand {
  const limits = ["--keyless-rate", "0", "--max-head-age", "0", "--keys", join(folder, "keys")];
  return startWith(environment, "--port", "0", ...limits, "--lite-servers", servers);
}

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
  await using command = startOn(terminal, network.config, folder.path);
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
  await using command = startOn({ STATE_DIRECTORY: join(place, "state") }, network.config, folder.path);
  await ready(await command.url);
  const line = command.log().find(({ msg }) => String(msg).startsWith("there is no folder for the anchor"));
  expect(line).toMatchObject({
    level: 40,
    msg: expect.stringContaining("name a file with --lite-anchor"),
    reason: expect.stringContaining("ENOTDIR"),
  });
});

test("after validators have signed two chains, all operations respond with 542, also after a restart, until the record is removed", async () => {
  using folder = temporaryFolder();
  // No key block makes one of the chains the only one that descends from the trusted block.
  const options = { ...validators, keyBlocks: "none" } as const;
  await using network = await startLiteNetwork(await madeChain({ ...options, rate: 1, steps: 4 }), 2);
  const environment = { STATE_DIRECTORY: join(folder.path, "state") };
  const startHere = () => startOn(environment, network.config, folder.path);
  const line = "validators have signed two chains, nothing is read any more";
  let record = "";
  {
    await using command = startHere();
    const url = await command.url;
    await ready(url);
    await network.stop(1);
    await network.start(1, await madeChain({ ...options, rate: 2, steps: 6 }));
    await until(async () => (await ask(url, "getMasterchainInfo")).status === 542);
    const logged = await until(() => command.log().find(({ msg }) => msg === line));
    expect(logged).toMatchObject({ level: 50, seqno: 4, blocks: [{ seqno: 4 }, { seqno: 6 }] });
    const [status, text = ""] = await readinessOf(url);
    expect([status, text]).toEqual([503, expect.stringContaining("validators have signed two chains")]);
    record = /remove the file (.+?\.fork), and restart/.exec(text)?.[1] ?? expect.unreachable(text);
    for (const [operation, input] of [
      ["getConsensusBlock", {}],
      ["lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 2 }],
      ["getAddressInformation", { address: `-1:${"5".repeat(64)}` }],
    ] as const) {
      expect((await ask(url, operation, input)).status, operation).toBe(542);
    }
    expect(await signatureMetrics(url)).toMatchObject({ signed_forks_total: 1 });
    await until(() => existsSync(record));
    expect(dirname(record)).toBe(environment.STATE_DIRECTORY);
  }
  for (const servers of [[0, 1], [1]]) {
    network.configure(servers);
    await using command = startHere();
    const url = await command.url;
    await until(async () => (await signatureMetrics(url))["signed_forks_total"] === 1);
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

test("signatures of an unknown form are the reason not to be ready, unless the head is that of a server of the operator", async () => {
  await using network = await startLiteNetwork(right, 2, [[unknownSignatures()], [unknownSignatures()]]);
  const { liteservers } = JSON.parse(readFileSync(network.config, "utf8"));
  const headFrom = new Uint8Array(Buffer.from(liteservers[1].id.key, "base64"));
  await using signed = await startService(onLiteServers(network.config));
  await using believing = await startService(onLiteServers(network.config, { headFrom }));
  await waitForHead(believing.url, HEAD);
  const [own, answer] = [await namedBlock(right, HEAD), await ask(believing.url, "getMasterchainInfo")];
  expect(answer.body.result).toMatchObject({ last: { root_hash: own.root_hash } });
  const warning = /^the newest block is that of lite server [0-9a-f]{8}, and is not verified by signatures$/;
  expect(await readinessOf(believing.url)).toEqual([200, expect.stringMatching(warning)]);
  const reason = await until(async () => {
    const [status, text] = await readinessOf(signed.url);
    expect(status).toBe(503);
    return text?.includes("no block is verified yet") ? text : undefined;
  });
  expect(reason).toContain("dec0adde");
});
