import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { readBlock } from "@chain-query/format/blocks";
import { readBoc } from "@chain-query/format/cells";
import { containsAccount } from "@chain-query/format/identifiers";
import { readShardTops, readStateShards } from "@chain-query/format/states";
import { sharedFolder, temporaryFolder } from "@chain-query/testing/folders";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalChain } from "../../src/domain.ts";
import { createChain } from "../../src/genesis/create-chain.ts";
import { openProducer } from "../../src/production/producer.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import {
  type AccountFixtures,
  continueScenario,
  createScenario,
  runScenario,
  SCENARIO_STEPS,
} from "../../src/scenario/run-scenario.ts";

const HOUR = 3_600;

/** The block up to which an interrupted scenario is continued. */
const end = SCENARIO_STEPS.gift + 1;
/** With traffic, after the end of the scenario. */
const steps = 10;
const folder = sharedFolder();
let accounts: AccountFixtures;
let chain: LocalChain;

beforeAll(async () => {
  accounts = await runScenario(folder);
  chain = openChain(folder);
});

afterAll(() => chain.close());

describe("runScenario", () => {
  test("ends a week after its head, which is 28 hours after genesis", () => {
    const { id, time } = chain.head().block;
    expect(id.seqno).toBe(SCENARIO_STEPS.later);
    const masterchain = { workchain: id.workchain, shard: id.shard };
    const head = chain.block(masterchain, { seqno: SCENARIO_STEPS.head }) ?? expect.fail("the head is missing");
    expect(head.time - chain.genesis().time).toBe(28 * HOUR);
    expect(time - head.time).toBe(7 * 24 * HOUR);
    expect(chain.retainedSince()).toBeLessThan(chain.genesis().time);
  });

  test("leaves each account in its state", () => {
    const states = Object.entries(accounts).map(([name, account]) => `${name} ${chain.account(account)?.status}`);
    expect(states).toEqual(["alice active", "bob active", "carol uninitialized", "dave frozen", "erin active"]);
    expect(chain.account(accounts.carol)?.balance).toBe(2_000_000_000n);
    expect(chain.account(accounts.alice)?.extraCurrencies).toEqual([{ id: 100, amount: 2_500n }]);
  });

  test("gives coins to Alice's account before its wallet is deployed", () => {
    const before = chain.account(accounts.alice, SCENARIO_STEPS.gift + 1);
    expect(before).toMatchObject({ status: "uninitialized", balance: 12_000_000_000n });
    expect(chain.account(accounts.alice, SCENARIO_STEPS.gift)?.last.lt).toBe(0n);
    expect(chain.account(accounts.alice, SCENARIO_STEPS.thanks)?.status).toBe("active");
  });

  test("has five transactions of Alice, with their messages", () => {
    const history = [...chain.transactions(accounts.alice)].filter(
      ({ masterchainSeqno }) => masterchainSeqno <= SCENARIO_STEPS.head,
    );
    expect(history.map(({ masterchainSeqno }) => masterchainSeqno)).toEqual([
      SCENARIO_STEPS.points + 1,
      SCENARIO_STEPS.welcome,
      SCENARIO_STEPS.change + 1,
      SCENARIO_STEPS.thanks,
      SCENARIO_STEPS.gift + 1,
    ]);
    expect(history.map(({ outMessages }) => outMessages.length)).toEqual([0, 2, 0, 1, 0]);
  });

  test("has messages in the queues of the shards of Bob and Erin at its head, and none before", () => {
    const shards = chain.shards().map(({ id: { workchain, shard } }) => ({ workchain, shard }));
    const sizesAt = (seqno: number) => shards.map((shard) => chain.block(shard, { seqno })?.queueSize);
    const expected = shards.map((shard) =>
      [accounts.bob, accounts.erin].some((account) => containsAccount(shard, account)) ? 1 : 0,
    );
    expect(expected).toEqual([0, 1, 1, 0]);
    expect(sizesAt(SCENARIO_STEPS.head)).toEqual(expected);
    expect(sizesAt(SCENARIO_STEPS.idle)).toEqual([0, 0, 0, 0]);
  });

  test("has four splits and four merges, one of them of Alice's shard, a split just before the head, and a key block", () => {
    const masterchain = chain.genesis().block;
    const shardsAt = (seqno: number): bigint[] =>
      readShardTops(readStateShards(chain.state({ ...masterchain, seqno }) ?? expect.fail())).map(({ shard }) => shard);
    const counts = [SCENARIO_STEPS.young, 100, 200, 300, 400, 500, 600, 700, 800, SCENARIO_STEPS.idle].map(
      (seqno) => shardsAt(seqno).length,
    );
    expect(counts).toEqual([2, 3, 4, 5, 6, 5, 4, 3, 2, 3]);
    const [quarter, half] = [SCENARIO_STEPS.thanks, SCENARIO_STEPS.head].map((seqno) =>
      shardsAt(seqno).find((shard) => containsAccount({ workchain: 0, shard }, accounts.alice)),
    );
    expect([quarter, half]).toEqual([0x5000_0000_0000_0000n, 0x4000_0000_0000_0000n]);
    const block = readBlock(readBoc(chain.blockData({ ...masterchain, seqno: 800 }) ?? expect.fail()));
    expect(block.info.isKey).toBe(true);
  });
});

describe("continueScenario", () => {
  test("makes the missing blocks of an interrupted scenario", async () => {
    const directory = join(temporaryFolder(), "chain");
    await createScenario(directory);
    for (const last of [SCENARIO_STEPS.gift, end]) {
      const producer = await openProducer(directory);
      for await (const { seqno } of continueScenario(producer)) if (seqno === last) break;
      await producer.close();
    }
    const continued = openChain(directory);
    const rootAt = (reader: LocalChain) => reader.block(reader.genesis().block, { seqno: end })?.id.rootHash ?? expect.fail();
    expect(Buffer.from(rootAt(continued))).toEqual(Buffer.from(rootAt(chain)));
    await continued.close();
  });

  test("makes no blocks after its head, where the traffic leaves Alice, Carol and Dave alone", async () => {
    const directory = temporaryFolder();
    copyFileSync(join(folder, "chain.mdb"), join(directory, "chain.mdb"));
    const producer = await openProducer(directory);
    expect(await continueScenario(producer).next()).toEqual({ done: true, value: undefined });
    const before = producer.head.time;
    const made = await producer.steps(Array.from({ length: steps }, (_, i) => ({ time: before + (i + 1) * HOUR, rate: 40 })));
    await producer.close();
    expect(made.reduce((sum, { transactionCount }) => sum + transactionCount, 0)).toBeGreaterThan(10 * steps);
    const continued = openChain(directory);
    for (const name of ["alice", "carol", "dave"] as const) {
      const { block: _, ...state } = continued.account(accounts[name]) ?? expect.fail(`${name} is missing`);
      expect(chain.account(accounts[name], SCENARIO_STEPS.head)).toMatchObject(state);
    }
    await continued.close();
  });

  test("makes no blocks on another chain", async () => {
    const directory = temporaryFolder();
    await createChain(directory, { seed: 7, accounts: 8, shards: 2, rate: 5, blockInterval: 120 });
    const producer = await openProducer(directory);
    expect(await continueScenario(producer).next()).toEqual({ done: true, value: undefined });
    await producer.close();
  });
});
