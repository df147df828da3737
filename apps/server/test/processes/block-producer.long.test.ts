/** The block producer: creating a chain, restarts, one writer; and the folder of the chain, which is read-only, removed or replaced. */

import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createChain, openChain } from "@chain-query/local-chain";
import { SCENARIO_STEPS } from "@chain-query/local-chain/scenario";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { openApiKeyStore } from "../../src/limits/api-keys.ts";
import { hasChain } from "../../src/sources/chain-identity.ts";
import { ask, readinessOf, resultOf } from "../fixtures/ask.ts";
import { startCallers } from "../fixtures/callers.ts";
import { copyChain, copyGrowingChain } from "../fixtures/chain.ts";
import { isAlive, type RunningCommand, run, start, startFromShell } from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const producerProgram = fileURLToPath(new URL("../../dist/processes/block-producer.js", import.meta.url));
/** Blocks that the producer makes of a new chain without waiting. */
const firstBlocks = 120;

const producerPids = (command: RunningCommand): number[] => command.pids("producing blocks");
const seqnoAt = async (url: string): Promise<number> => {
  return (await resultOf(url, "getConsensusBlock", {}, { connection: "close" })).consensus_block;
};

describe.concurrent("the block producer", () => {
  test("stops within a block while it creates a chain, and continues it at the next start", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    const flags = ["--port", "0", "--chain", chain, "--block-interval", "1", "--keyless-rate", "0"];
    await using first = start(...flags);
    await until(() => hasChain(chain));
    first.child.kill("SIGTERM");
    expect((await first.exit).code).toBe(0);
    const made = await stateOf(chain);

    await using second = start(...flags);
    const url = await second.url;
    const { init } = await resultOf(url, "getMasterchainInfo");
    const head = await until(
      () => seqnoAt(url),
      (seqno) => seqno > made.head,
    );
    second.child.kill("SIGINT");
    expect((await second.exit).code).toBe(0);
    expect(producerPids(second).filter(isAlive)).toEqual([]);
    const continued = await stateOf(chain);
    expect([init.root_hash, continued.genesis]).toEqual([made.genesis, made.genesis]);
    expect(made.head).toBeLessThan(SCENARIO_STEPS.head);
    expect(continued.head).toBeGreaterThanOrEqual(head);
  });

  test("is the only writer, and restarts when it is killed, while the service responds and never goes back to an older head", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    await createChain(chain, { seed: 7, accounts: 20, shards: 1, rate: 1, blockInterval: 1 });
    const flags = ["--port", "0", "--chain", chain, "--keyless-rate", "0"];
    await using command = start(...flags, "--block-interval", "1");
    const url = await command.url;
    await until(async () => (await seqnoAt(url)) > firstBlocks);
    const progress = () => command.log().flatMap(({ msg, block }) => (msg === "producing the first blocks" ? [block] : []));
    await until(progress, (blocks) => expect(blocks).toEqual([20, 40, 60, 80, 100, firstBlocks]));

    const rival = await run(...flags, "--keys", join(folder.path, "keys"), "--log-level", "silent");
    expect(rival).toMatchObject({ code: 2, stdout: "" });
    expect(rival.stderr).toMatch(
      /^chain-query-server: [^\n]* is being written by process \d+; a chain has one writer at a time\n$/,
    );

    const callers = startCallers(url, { count: 4, pause: 50 });
    process.kill(producerPids(command).at(-1) ?? expect.unreachable(), "SIGKILL");
    const { answered } = callers.seen();
    await until(() => callers.seen().answered > answered + 50);
    const [, producer = 0] = await until(() => [producerPids(command)].find(({ length }) => length === 2));
    const { wrong, cut } = await callers.stop();
    expect({ wrong, cut }).toEqual({ wrong: [], cut: 0 });
    await expectMonotonicHeads(url);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('chain_query_restarts_total{process="producer"} 1');

    command.child.kill("SIGKILL");
    await once(command.child, "exit");
    await until(() => !isAlive(producer));
  });

  test("ends if its parent dies while it loads its modules", async () => {
    using folder = temporaryFolder();
    const task = { chain: await copyGrowingChain(folder.path), blockInterval: 1 };
    const disconnected = "await new Promise((resolve) => process.once('disconnect', resolve))";
    const child = fork(producerProgram, [JSON.stringify(task)], {
      execArgv: [`--import=data:text/javascript,${disconnected}`],
    });
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("reports how long it waits if the chain is ahead of the clock", async () => {
    using folder = temporaryFolder();
    const chain = join(folder.path, "chain");
    const startTime = Math.floor(Date.now() / 1000) + 3000;
    await createChain(chain, { seed: 3, accounts: 20, startTime });
    await using command = start("--port", "0", "--chain", chain, "--block-interval", "1s", "--keyless-rate", "0");
    const url = await command.url;
    const time = new Date((startTime + 1) * 1000).toISOString().replace(".000Z", "Z");
    const warning = await until(() => command.log().find(({ msg }) => String(msg).startsWith("the chain is ahead")));
    expect(warning["until"]).toBe(time);
    // The producer tells the service after it has logged.
    const error = `the chain is ahead of the clock: no block until ${time}`;
    await until(
      () => readinessOf(url),
      (found) => expect(found).toEqual([503, error]),
    );
    const status = await (await fetch(`${url}/status.json`)).json();
    expect(status).toMatchObject({ chain: { waitsUntil: startTime + 1, blocksPerSecond: 0 } });
    expect(await fetch(`${url}/metrics`).then((answer) => answer.text())).toMatch(/^chain_query_head_age_seconds -\d+$/m);
  });
});

/** The root hash of the genesis of a chain, and the seqno of its head. */
async function stateOf(chain: string): Promise<{ genesis: string; head: number }> {
  const reader = openChain(chain);
  const genesis = Buffer.from(reader.genesis().block.rootHash).toString("base64");
  const head = reader.head().block.id.seqno;
  return { genesis, head };
}

/** Expects that no response has an older head than the one before it. */
async function expectMonotonicHeads(url: string): Promise<void> {
  const heads = new Set<number>();
  let highest = 0;
  await until(async () => {
    for (const id of ["getConsensusBlock", "getMasterchainInfo"] as const) {
      const result = await resultOf(url, id, {}, { connection: "close" });
      const seqno = "last" in result ? result.last.seqno : result.consensus_block;
      expect(seqno).toBeGreaterThanOrEqual(highest);
      highest = seqno;
      heads.add(seqno);
    }
    return heads.size >= 3;
  });
}

/** Runs a command in a namespace of its own, in which the folder is mounted read-only. */
const mounting = `unshare --mount --map-root-user sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'`;
const canMount = spawnSync("sh", ["-c", `exec ${mounting} . true`]).status === 0;

// Some systems forbid namespaces to users.
test.runIf(canMount).each([false, true])("a read-only disk is served (with a folder of keys: %s)", async (hasKeys) => {
  using folder = temporaryFolder();
  const chain = copyChain(folder.path);
  const store = hasKeys ? openApiKeyStore(join(folder.path, "chain.keys")) : undefined;
  const key = (await store?.add("alice", { rate: 0 }))?.text ?? `cq_${"0".repeat(12)}_${"A".repeat(43)}`;
  const flags = ["--port", "0", "--chain", chain, "--no-produce", "--log-level", "silent"];
  await using command = startFromShell(`exec ${mounting} '${folder.path}' "$@"`, ...flags);
  const url = await command.url;
  expect((await ask(url, "getMasterchainInfo")).status).toBe(200);
  expect((await ask(url, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(hasKeys ? 200 : 401);
  expect(readdirSync(folder.path)).toEqual(hasKeys ? ["chain", "chain.keys"] : ["chain"]);
});

const fresh = { connection: "close" };

test("a chain folder that vanishes is reported, never replaced by a new chain, and continued when it returns", async () => {
  using folder = temporaryFolder();
  const chain = await copyGrowingChain(folder.path);
  const flags = ["--chain", chain, "--block-interval", "1s", "--keyless-rate", "0"];
  await using command = start("--port", "0", ...flags);
  const url = await command.url;
  const zeroState = async (): Promise<string> => (await resultOf(url, "getMasterchainInfo", {}, fresh)).init.root_hash;
  const init = await zeroState();
  const ready = async (): Promise<number> => (await fetch(`${url}/readyz`, { headers: fresh })).status;

  renameSync(chain, `${chain}.away`);
  expect(await ready()).toBe(503);
  const deaths = () => command.log().filter(({ msg }) => msg === "block producer died, restarting");
  await until(() => deaths().length > 1);
  expect(deaths().at(-1)?.["reason"]).toMatch(/does not exist/);
  expect(existsSync(chain)).toBe(false);

  // Another chain in its place is neither served nor continued.
  mkdirSync(chain);
  await createChain(chain, { seed: 9, accounts: 20 });
  const seen = deaths().length;
  await until(() => deaths().length > seen);
  expect(deaths().at(-1)?.["reason"]).toMatch(/was replaced: it holds another chain/);
  expect(await ready()).toBe(503);
  expect(await zeroState()).toBe(init);

  renameSync(chain, `${chain}.other`);
  renameSync(`${chain}.away`, chain);
  expect(await ready()).toBe(200);
  expect(await zeroState()).toBe(init);
  await until(() => command.pids("producing blocks").length > 1);
  expect(existsSync(join(chain, "chain.mdb"))).toBe(true);
});
