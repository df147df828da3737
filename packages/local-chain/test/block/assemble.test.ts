import { plus, text } from "@chain-query/block-walker/amounts";
import { type WalkedBlock, walkBlock } from "@chain-query/block-walker/block";
import { type WalkedState, walkState } from "@chain-query/block-walker/state";
import type { AssembledBlock, BlockContent } from "@chain-query/format/blocks";
import { sha256, writeBoc } from "@chain-query/format/cells";
import { readEntries } from "@chain-query/format/dictionaries";
import { type ShardState, stateCell } from "@chain-query/format/states";
import type { TransactionParts as Parts } from "@chain-query/format/transactions";
import { Cell as CoreCell, loadShardStateUnsplit, loadTransaction } from "@ton/core";
import { beforeAll, describe, expect, test } from "vitest";
import { toCoreCell } from "../core-cell.ts";
import { configuration } from "./parties.ts";
import { type Story, tellStory } from "./story.ts";

let story: Story;
let walked: WalkedBlock[];
let states: Map<ShardState, WalkedState>;

beforeAll(async () => {
  story = await tellStory();
  walked = story.blocks.map(({ boc }) => walkBlock(boc));
  const all = [...story.origins, ...story.blocks.map(({ state }) => state)];
  states = new Map(all.map((state) => [state, walkState(toCoreCell(stateCell(state)))]));
});

/** The state after a block. */
function stateAfter(block: number): WalkedState {
  return states.get((story.blocks[block] as AssembledBlock).state) as WalkedState;
}

/** What the masterchain's own transactions and messages cost. */
function ownFees(): bigint {
  return [2, 5, 7].reduce((sum, i) => {
    const flow = (story.blocks[i] as AssembledBlock).valueFlow;
    return sum + flow.feesCollected.coins - flow.feesImported.coins;
  }, 0n);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe("assembleBlock", () => {
  test("names a block by the hash of its root and of its bytes", () => {
    for (const { id, boc, root } of story.blocks) {
      const [core] = CoreCell.fromBoc(Buffer.from(boc));
      expect(core?.hash().toString("hex")).toBe(hex(id.rootHash));
      expect(hex(id.fileHash)).toBe(hex(sha256(boc)));
      expect(writeBoc(root)).toEqual(boc);
    }
  });

  test("describes every way that a message takes", () => {
    const ways = (entries: (block: WalkedBlock) => WalkedBlock["inMessages"]) =>
      walked.map((block) =>
        Array.from(entries(block).values(), ({ tag }) => tag)
          .sort()
          .join(" "),
      );
    expect(ways((block) => block.inMessages)).toEqual(["000 000 011", "", "100", "100", "100", "", "", ""]);
    expect(ways((block) => block.outMessages)).toEqual(["000 001 001 001 010", "", "", "100 1101", "", "", "1101", ""]);
  });

  test("holds transactions as the cells that they came as", () => {
    for (const [i, { transactions }] of story.contents.entries()) {
      const given = transactions.map(({ transaction }) => hex(transaction.cell.hash)).sort();
      expect(walked[i]?.transactions.map(({ hash }) => hash).sort()).toEqual(given);
      for (const { transaction } of transactions) {
        expect(loadTransaction(toCoreCell(transaction.cell).beginParse()).lt).toBe(transaction.lt);
      }
    }
  });

  test("says what it was told of times and of other blocks", () => {
    for (const [i, content] of story.contents.entries()) {
      const { startLt, endLt, time, previous, master, before } = content;
      const block = walked[i];
      expect(block).toMatchObject({ startLt, endLt, time, seqno: before.seqno + 1, workchain: before.shard.workchain });
      expect(block?.previous).toEqual([{ ...previous, rootHash: hex(previous.rootHash), fileHash: hex(previous.fileHash) }]);
      expect(block?.master?.rootHash).toBe(master && hex(master.rootHash));
      expect(block?.isKey).toBe(content.config !== undefined);
      expect(block?.shard).toBe(BigInt.asUintN(64, before.shard.shard).toString(16).padStart(16, "0"));
    }
  });

  test("leads from the state before to the state after, which hashes alike as cells and as digests", () => {
    for (const [i, { state, stateRootHash }] of story.blocks.entries()) {
      const { before, time, endLt } = story.contents[i] as BlockContent;
      expect(walked[i]?.newState).toBe(hex(stateRootHash));
      expect(walked[i]?.newState).toBe(states.get(state)?.hash);
      expect(walked[i]?.oldState).toBe(states.get(before)?.hash);
      expect(states.get(state)).toMatchObject({ seqno: before.seqno + 1, time, lt: endLt });
    }
  });

  test("takes into the state what its transactions did", () => {
    const after = stateAfter(0);
    expect(after.accounts.size).toBe(3);
    expect(after.queue.size).toBe(3);
    const { transactions } = story.contents[0] as BlockContent;
    const [first, second, third] = transactions.map(({ transaction }) => transaction) as [Parts, Parts, Parts];
    expect(after.accounts.get(hex(first.account))).toMatchObject({ lastHash: hex(second.cell.hash), lastLt: second.lt });
    expect(after.accounts.get(hex(third.account))).toMatchObject({ lastHash: hex(third.cell.hash), lastLt: third.lt });
    expect([3, 6].map((block) => stateAfter(block).queue.size)).toEqual([1, 0]);
  });

  test("keeps value: in the end, balances and fees come to what there was", () => {
    const begun = plus(...story.origins.map((state) => (states.get(state) as WalkedState).balance));
    const ended = [stateAfter(6), stateAfter(4), stateAfter(7)];
    const fees = stateAfter(7).validatorFees;
    expect(ended.map(({ queue }) => queue.size)).toEqual([0, 0, 0]);
    expect(text(plus(fees, ...ended.map(({ balance }) => balance)))).toBe(text(begun));
    expect(text(stateAfter(7).globalBalance)).toBe(text(begun));
    expect(fees.get(0)).toBe([6, 4].reduce((sum, i) => sum + (stateAfter(i).validatorFees.get(0) ?? 0n), ownFees()));
    expect(text(stateAfter(4).balance)).toContain("101:5");
  });

  test("registers in the masterchain what the shards' blocks are", () => {
    const byShard = (block: WalkedBlock | undefined) =>
      block?.shards.map(({ shard, rootHash, seqno, registered }) => ({ shard, rootHash, seqno, registered }));
    const named = (block: AssembledBlock | undefined, registered: number) => ({
      shard: BigInt.asUintN(64, block?.id.shard ?? 0n).toString(16),
      rootHash: hex(block?.id.rootHash ?? new Uint8Array()),
      seqno: block?.id.seqno,
      registered,
    });
    const { blocks } = story;
    expect(byShard(walked[2])).toEqual([named(blocks[0], 1), named(blocks[1], 1)]);
    expect(byShard(walked[5])).toEqual([named(blocks[3], 2), named(blocks[4], 2)]);
    expect(byShard(walked[7])).toEqual([named(blocks[6], 3), named(blocks[4], 2)]);
    expect(stateAfter(7).shards).toEqual(walked[7]?.shards);
    expect(Array.from(stateAfter(7).past.values(), ({ rootHash }) => rootHash)).toEqual(
      [2, 5, 7].map((block) => walked[block]?.previous[0]?.rootHash),
    );
  });

  test("tells which key block came last, and to which masterchain block it still refers", () => {
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

  test("makes states that @ton/core reads", () => {
    const parameters = Array.from(readEntries(configuration(), 32)).length;
    for (const { state } of story.blocks) {
      const read = loadShardStateUnsplit(toCoreCell(stateCell(state)).beginParse());
      expect(read).toMatchObject({ seqno: state.seqno, genLt: state.lt, genUtime: state.time, globalId: -7 });
      expect(read.accounts?.size).toBe(state.accounts.size);
      expect(read.extras?.config.size ?? 0).toBe(state.masterchain ? parameters : 0);
    }
  });
});
