import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChainReader } from "../../src/domain.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { CHAPTERS, type Characters, tellStory } from "../../src/story/tell-story.ts";

const folder = mkdtempSync(join(tmpdir(), "local-chain-"));
let characters: Characters;
let chain: ChainReader;

beforeAll(async () => {
  characters = await tellStory(folder);
  chain = openChain(folder);
});

afterAll(async () => {
  await chain.close();
  rmSync(folder, { recursive: true, force: true });
});

const HOUR = 3_600;

describe("tellStory", () => {
  test("ends a week after its head, which is 28 hours after genesis", () => {
    const { id, time } = chain.head().block;
    expect(id.seqno).toBe(CHAPTERS.later);
    const masterchain = { workchain: id.workchain, shard: id.shard };
    const head = chain.block(masterchain, { seqno: CHAPTERS.head }) ?? expect.fail("the head is missing");
    expect(head.time - chain.genesis().time).toBe(28 * HOUR);
    expect(time - head.time).toBe(7 * 24 * HOUR);
    expect(chain.retainedSince()).toBeGreaterThan(head.time);
  });

  test("leaves each account in its state", () => {
    const states = Object.entries(characters).map(([name, account]) => `${name} ${chain.account(account)?.status}`);
    expect(states).toEqual(["alice active", "bob active", "carol uninitialized", "dave frozen", "erin active"]);
    expect(chain.account(characters.carol)?.balance).toBe(2_000_000_000n);
    expect(chain.account(characters.alice)?.extraCurrencies).toEqual([{ id: 100, amount: 2_500n }]);
  });

  test("gives coins to Alice's account before its wallet is deployed", () => {
    const before = chain.account(characters.alice, CHAPTERS.gift + 1);
    expect(before).toMatchObject({ status: "uninitialized", balance: 12_000_000_000n });
    expect(chain.account(characters.alice, CHAPTERS.gift)?.last.lt).toBe(0n);
    expect(chain.account(characters.alice, CHAPTERS.thanks)?.status).toBe("active");
  });

  test("has five transactions of Alice, with their messages", () => {
    const history = [...chain.transactions(characters.alice)].filter(
      ({ masterchainSeqno }) => masterchainSeqno <= CHAPTERS.head,
    );
    expect(history.map(({ masterchainSeqno }) => masterchainSeqno)).toEqual([
      CHAPTERS.points + 1,
      CHAPTERS.welcome,
      CHAPTERS.change + 1,
      CHAPTERS.thanks,
      CHAPTERS.gift + 1,
    ]);
    expect(history.map(({ outMessages }) => outMessages.length)).toEqual([0, 2, 0, 1, 0]);
  });

  test("has a message in the queue of each shard at its head, and none before", () => {
    const shards = chain.shards().map(({ id: { workchain, shard } }) => ({ workchain, shard }));
    const sizesAt = (seqno: number) => shards.map((shard) => chain.block(shard, { seqno })?.queueSize);
    expect(sizesAt(CHAPTERS.head)).toEqual([0, 1, 1]);
    expect(sizesAt(CHAPTERS.idle)).toEqual([0, 0, 0]);
  });
});
