import { plus, text } from "@chain-query/testing/block-walker/amounts";
import { type WalkedBlock, walkBlock } from "@chain-query/testing/block-walker/block";
import { type WalkedState, walkState } from "@chain-query/testing/block-walker/state";
import { loadShardStateUnsplit } from "@ton/core";
import { describe, expect, test } from "vitest";
import type { ShardAccount } from "../../src/accounts.ts";
import { type AssembledBlock, assembleBlock, type BlockInput, type BlockTransaction } from "../../src/blocks/index.ts";
import { hex, readBoc, writeBoc } from "../../src/cells/index.ts";
import { addCurrencies, coinsOnly } from "../../src/currencies.ts";
import { encodeState, readAccounts, readState, type ShardState } from "../../src/states/index.ts";
import { toCoreCell } from "../core-cell.ts";
import { sampleBlocks } from "./sample-blocks.ts";

const { zeroStates, blocks, inputs } = sampleBlocks();
const walked: WalkedBlock[] = blocks.map(({ boc }) => walkBlock(boc));
const states = new Map<ShardState, WalkedState>(
  [...zeroStates, ...blocks.map(({ state }) => state)].map((state) => [state, walkState(toCoreCell(encodeState(state)))]),
);

/** The state after a block. */
function stateAfter(block: number): WalkedState {
  return states.get((blocks[block] as AssembledBlock).state) as WalkedState;
}

/** The fees of the masterchain's own transactions and messages. */
function ownFees(): bigint {
  return [2, 5, 7].reduce((sum, i) => {
    const flow = (blocks[i] as AssembledBlock).valueFlow;
    return sum + flow.feesCollected.coins - flow.feesImported.coins;
  }, 0n);
}

describe("assembleBlock", () => {
  test("describes messages of every kind", () => {
    const tags = (entries: (block: WalkedBlock) => WalkedBlock["inMessages"]) =>
      walked.map((block) =>
        Array.from(entries(block).values(), ({ tag }) => tag)
          .sort()
          .join(" "),
      );
    expect(tags((block) => block.inMessages)).toEqual(["000 000 011", "", "100", "100", "100", "", "", ""]);
    expect(tags((block) => block.outMessages)).toEqual(["000 001 001 001 010", "", "", "100 1101", "", "", "1101", ""]);
  });

  test("leads from the state before to the state after, which has the same hash as cells and as digests", () => {
    for (const [i, { state, stateRootHash }] of blocks.entries()) {
      const { before, time, endLt } = inputs[i] as BlockInput;
      expect(walked[i]?.newState).toBe(hex(stateRootHash));
      expect(walked[i]?.newState).toBe(states.get(state)?.hash);
      expect(walked[i]?.oldState).toBe(states.get(before)?.hash);
      expect(states.get(state)).toMatchObject({ seqno: before.seqno + 1, time, lt: endLt });
    }
  });

  test("keeps value: final balances and fees are the initial balances", () => {
    const begun = plus(...zeroStates.map((state) => (states.get(state) as WalkedState).balance));
    const ended = [stateAfter(6), stateAfter(4), stateAfter(7)];
    const fees = stateAfter(7).validatorFees;
    expect(ended.map(({ queue }) => queue.size)).toEqual([0, 0, 0]);
    expect(text(plus(fees, ...ended.map(({ balance }) => balance)))).toBe(text(begun));
    expect(text(stateAfter(7).globalBalance)).toBe(text(begun));
    expect(fees.get(0)).toBe([6, 4].reduce((sum, i) => sum + (stateAfter(i).validatorFees.get(0) ?? 0n), ownFees()));
    expect(text(stateAfter(4).balance)).toContain("101:5");
  });

  test("names the last key block and the oldest masterchain block that it refers to", () => {
    const [two, five, seven] = [2, 5, 7].map((block) => walked[block]) as [WalkedBlock, WalkedBlock, WalkedBlock];
    expect([two, five, seven].map(({ keySeqno, seqno }) => [seqno, keySeqno])).toEqual([
      [1, 0],
      [2, 0],
      [3, 2],
    ]);
    expect(stateAfter(2).lastKey).toEqual(two.previous[0]);
    expect(stateAfter(5).lastKey).toEqual(two.previous[0]);
    expect(stateAfter(7).lastKey).toEqual(seven.previous[0]);
    expect(walked.map(({ minRef }) => minRef)).toEqual([0, 0, 0, 1, 1, 1, 2, 1]);
  });

  test("makes states that @ton/core and `readState` read", () => {
    for (const { state } of blocks) {
      const read = loadShardStateUnsplit(toCoreCell(encodeState(state)).beginParse());
      expect(read).toMatchObject({ seqno: state.seqno, genLt: state.lt, genUtime: state.time, globalId: -7 });
      expect(read.accounts?.size).toBe(state.accounts.size);
      const { accounts, ...head } = readState(readBoc(writeBoc(encodeState(state))));
      const { globalId, shard, seqno, time, lt, minRefMasterchainSeqno } = state;
      expect(head).toEqual({ globalId, shard, seqno, time, lt, minRefMasterchainSeqno });
      const hashes = Array.from(state.accounts, ([address, { account }]) => [hex(address), hex(account.hash)]);
      expect(Array.from(readAccounts(accounts), ({ address, account }) => [hex(address), hex(account.hash)])).toEqual(hashes);
      expect(read.extras?.config.size ?? 0).toBe(state.masterchain ? 2 : 0);
    }
  });
});

/** Assembles a sample block from changed input. */
function changed(block: number, change: (content: BlockInput) => Partial<BlockInput>): () => unknown {
  const content = inputs[block] as BlockInput;
  return () => assembleBlock({ ...content, ...change(content) });
}

function withAccount({ transactions }: BlockInput, change: (account: ShardAccount) => ShardAccount): Partial<BlockInput> {
  const last = transactions.at(-1) as BlockTransaction;
  return { transactions: [...transactions.slice(0, -1), { ...last, account: change(last.account as ShardAccount) }] };
}

describe("assembleBlock with inconsistent input", () => {
  test("rejects value that appears from nothing", () => {
    const richer = changed(0, (content) =>
      withAccount(content, (account) => ({ ...account, balance: addCurrencies(account.balance, coinsOnly(1n)) })),
    );
    expect(richer).toThrow(/^a block does not keep value: \d+ and .* comes in, \d+ and .* goes out$/);
  });

  test("rejects an account with another hash than its transaction leads to", () => {
    const other = changed(0, (content) =>
      withAccount(content, (account) => ({ ...account, account: { hash: new Uint8Array(32), depth: 1 } })),
    );
    expect(other).toThrow(/^a transaction of account 2202.* does not lead to the account's state$/);
  });

  test("rejects a transaction that does not continue from its account's state", () => {
    const skipped = changed(0, ({ transactions }) => ({ transactions: transactions.slice(1) }));
    expect(skipped).toThrow(/^message [0-9a-f]{64} arrives without having been sent$/);
    expect(changed(0, ({ transactions }) => ({ transactions: transactions.slice(1, 2) }))).toThrow(
      /^a transaction of account 1101.* does not continue from the account's state$/,
    );
  });

  test("rejects a message of its shard that is not in the queue", () => {
    const never = changed(3, ({ before, transactions: [taken] }) => ({
      before: { ...before, queue: before.queue.delete(taken?.from?.key ?? new Uint8Array(44)) },
    }));
    const twice = changed(3, ({ transactions }) => ({ transactions: [...transactions, ...transactions] }));
    expect(never).toThrow(/^message [0-9a-f]{64} leaves a queue that does not hold it$/);
    expect(twice).toThrow(/^message [0-9a-f]{64} leaves a queue that does not hold it$/);
  });

  test("rejects times that are not after the block before, and transactions outside the block's times", () => {
    expect(changed(3, () => ({ startLt: 5n }))).toThrow("a block from lt 5 to 3000100 cannot follow a state of lt 1000100");
    expect(changed(3, () => ({ endLt: 3_000_000n }))).toThrow(
      "a block from lt 3000000 to 3000000 cannot follow a state of lt 1000100",
    );
    expect(changed(3, () => ({ time: 1 }))).toThrow("a block of time 1 cannot follow a state of time 1770000001");
    expect(changed(3, () => ({ endLt: 3_000_001n }))).toThrow(
      "a transaction of lt 3000001 does not fit into a block from 3000000 to 3000001",
    );
  });

  test("rejects a shard block without a masterchain block, and a masterchain block with one", () => {
    const message = "`master` is required in shard blocks and not allowed in masterchain blocks";
    const { master: _, ...alone } = inputs[0] as BlockInput;
    expect(() => assembleBlock(alone)).toThrow(message);
    expect(changed(2, ({ previous }) => ({ master: previous }))).toThrow(message);
  });

  test("rejects a random seed of another length", () => {
    expect(changed(0, () => ({ randomSeed: new Uint8Array(31) }))).toThrow("the random seed has 31 bytes, expected 32");
  });

  test("rejects shards that do not cover the basechain, or that overlap", () => {
    expect(changed(2, ({ shards = [] }) => ({ shards: shards.slice(1) }))).toThrow(/^shard -?\d+ has no block$/);
    expect(
      changed(2, ({ shards: [first, second] = [] }) => ({
        shards: first && second ? [first, second, { ...first, shard: 2n ** 61n }] : [],
      })),
    ).toThrow("a shard is within another one");
  });
});
