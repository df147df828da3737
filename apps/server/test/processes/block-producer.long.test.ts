/** The block producer: creating a chain, restarts, one writer, a full disk. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createChain, openChain } from "@chain-query/local-chain";
import { SCENARIO_STEPS } from "@chain-query/local-chain/scenario";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { hasChain } from "../../src/sources/chain-identity.ts";
import { readinessOf, resultOf } from "../fixtures/ask.ts";
import { startCallers } from "../fixtures/callers.ts";
import { copyGrowingChain } from "../fixtures/chain.ts";
import { isAlive, type RunningCommand, run, start } from "../fixtures/command.ts";
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
    await until(() => hasChain(chain) || undefined);
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
    await until(async () => (await seqnoAt(url)) > firstBlocks || undefined);
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
    await until(() => callers.seen().answered > answered + 50 || undefined);
    const [, producer = 0] = await until(() => [producerPids(command)].find(({ length }) => length === 2));
    const { wrong, cut } = await callers.stop();
    expect({ wrong, cut }).toEqual({ wrong: [], cut: 0 });
    await expectMonotonicHeads(url);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('chain_query_restarts_total{process="producer"} 1');

    command.child.kill("SIGKILL");
    await once(command.child, "exit");
    await until(() => !isAlive(producer) || undefined);
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
  await reader.close();
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
    return heads.size >= 3 || undefined;
  });
}
