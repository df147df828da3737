import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step, StepAccount, StepBlock, StepSource } from "@chain-query/chain-store";
import { decodeShardAccount } from "@chain-query/format/accounts";
import { hex } from "@chain-query/format/cells";
import { type LiteClientOptions, LiteError, liteClient, parseGlobalConfig } from "@chain-query/lite-client";
import { formatGlobalConfig, type LiteServer, startLiteServer } from "@chain-query/lite-server";
import { forgeBoc, startFaultyLiteServer } from "@chain-query/lite-server/testing";
import { type ChainReader, chainSteps, liteChain, openChain, openProducer, type Producer } from "@chain-query/local-chain";
import { copyMadeChain } from "@chain-query/local-chain/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FROZEN } from "../../fuzz/indexes.ts";
import { liteServerSteps } from "../../src/sources/lite-servers.ts";

const STEPS = FROZEN.steps;
const KEY = new Uint8Array(32).fill(9);
const never = new AbortController().signal;

const directory = mkdtempSync(join(tmpdir(), "indexer-"));
let producer: Producer;
let chain: ChainReader;
let server: LiteServer;
let expected: readonly Step[];

beforeAll(async () => {
  await copyMadeChain(directory, FROZEN);
  producer = await openProducer(directory);
  chain = openChain(directory);
  server = await startLiteServer({ chain: liteChain(chain), key: KEY });
  expected = await stepsOf(chainSteps(directory), { from: 1, to: STEPS });
});
afterAll(async () => {
  await server.close();
  await chain.close();
  await producer.close();
  rmSync(directory, { recursive: true, force: true });
});

function source(options: LiteClientOptions = {}, from = server, headTimeoutMs?: number): StepSource {
  // The default rate is too low for a local server.
  const client = liteClient(parseGlobalConfig(formatGlobalConfig(from.config())), {
    rate: 100_000,
    cacheBytes: 2 ** 20,
    ...options,
  });
  return liteServerSteps({ client, headTimeoutMs });
}

async function stepsOf(source: StepSource, range: { from: number; to: number }): Promise<Step[]> {
  const steps: Step[] = [];
  try {
    for await (const step of source.steps(range, never)) steps.push(step);
  } finally {
    await source.close();
  }
  return steps;
}

describe("steps from lite servers", () => {
  test("equal those of the chain in all fields", async () => {
    // The first steps, and enough of the last ones for the assertions below.
    const steps = [
      ...(await stepsOf(source(), { from: 1, to: 2 })),
      ...(await stepsOf(source(), { from: STEPS - 8, to: STEPS })),
    ];
    expect(steps.map(comparable)).toEqual([...expected.slice(0, 2), ...expected.slice(-9)].map(comparable));
    const sizes = steps.flatMap(({ shards }) => shards.map(({ queueSize }) => queueSize));
    expect(Math.max(...sizes)).toBeGreaterThan(10);
    const cells = steps.flatMap(({ accounts }) => accounts.map(({ shardAccount }) => shardAccount));
    const statuses = new Set(
      cells.map((cell) => (cell.refs[0]?.bitLength === 1 ? "deleted" : decodeShardAccount(cell).status)),
    );
    expect([...statuses].sort()).toEqual(["active", "deleted", "frozen", "uninitialized"]);
  });

  test("begin at any step", async () => {
    const steps = await stepsOf(source(), { from: 14, to: 16 });
    expect(steps.map(comparable)).toEqual(expected.slice(13, 16).map(comparable));
  });

  test("begin with the accounts of the zero states", async () => {
    const [lite, local] = [source(), chainSteps(directory)];
    const [{ accounts, ...own }, { accounts: others, ...genesis }] = [await lite.genesis(), await local.genesis()];
    expect(own).toEqual(genesis);
    const byAccount = async (from: AsyncIterable<StepAccount>) => {
      const all: string[] = [];
      for await (const account of from) all.push(JSON.stringify(comparableAccount(account)));
      return all.sort();
    };
    expect(await byAccount(accounts())).toEqual(await byAccount(others()));
    expect(await lite.newest()).toBe(STEPS);
    await lite.close();
    await local.close();
  });
});

describe("a source over lite servers", () => {
  test("waits for the next step, and ends with its signal", async () => {
    const lite = source();
    const stop = new AbortController();
    const steps = lite.steps({ from: STEPS }, stop.signal)[Symbol.asyncIterator]();
    expect((await steps.next()).value?.masterchain.id.seqno).toBe(STEPS);
    const next = steps.next();
    await producer.step();
    expect((await next).value?.masterchain.id.seqno).toBe(STEPS + 1);
    const after = steps.next();
    stop.abort(new Error("enough"));
    await expect(after).rejects.toThrow("enough");
    await lite.close();
  });

  test("fails if no server is connected while it waits", async () => {
    const other = await startLiteServer({ chain: liteChain(chain), key: KEY });
    const lite = source({}, other, 200);
    const head = await lite.newest();
    const steps = lite.steps({ from: head }, never)[Symbol.asyncIterator]();
    await steps.next();
    const next = steps.next();
    await other.close();
    await expect(next).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("no lite server is connected"),
    });
    await lite.close();
  });

  test.each([
    ["a block", forgeBoc("getBlock", "data")],
    ["an account", forgeBoc("getAccountState", "state")],
    ["an ancestor of the head", forgeBoc("lookupBlockWithProof", "mcBlockProof")],
    ["a zero state", forgeBoc("getState", "data")],
  ])("yields no step from a forged answer for %s", async (_, behaviour) => {
    const faulty = await startFaultyLiteServer({ chain: liteChain(chain), key: KEY, behaviours: [behaviour] });
    const lite = source({ timeoutMs: 1_000 }, faulty);
    const read = async () => {
      const { accounts } = await lite.genesis();
      for await (const _account of accounts()) break;
      await stepsOf(lite, { from: 3, to: 3 });
    };
    await expect(read()).rejects.toThrow(LiteError);
    await lite.close();
    await faulty.close();
  });
});

/** A step with hashes in place of cells. */
function comparable({ masterchain, shards, accounts }: Step) {
  return {
    masterchain: comparableBlock(masterchain),
    shards: shards.map(comparableBlock),
    accounts: accounts.map(comparableAccount),
  };
}

function comparableBlock({ transactions, ...block }: StepBlock) {
  return { ...block, transactions: transactions.map(({ account, cell }) => ({ account, hash: hex(cell.hash) })) };
}

function comparableAccount({ account: { workchain, hash }, shardAccount }: StepAccount) {
  return { workchain, address: hex(hash), hash: hex(shardAccount.hash) };
}
