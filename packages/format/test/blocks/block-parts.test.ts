import { describe, expect, test } from "vitest";
import { readBlock } from "../../src/blocks/block.ts";
import { readBlockConfig, readBlockHeader, readBlockShards } from "../../src/blocks/block-parts.ts";
import { lookUpTransaction, readTransactions } from "../../src/blocks/block-transactions.ts";
import { type Cell, CellBuilder, CellReader, PrunedCellError } from "../../src/cells/index.ts";
import { WHOLE_WORKCHAIN } from "../../src/identifiers.ts";
import { readShardTops } from "../../src/states/index.ts";
import { readTransactionHeader } from "../../src/transactions.ts";
import { sampleBlocks, shown } from "./sample-blocks.ts";

const { blocks } = sampleBlocks();
const [left] = blocks.map(({ root }) => root) as [Cell, ...Cell[]];
const master = blocks.find(({ id }) => id.workchain === -1)?.root as Cell;

describe("readBlockHeader", () => {
  test("equals the result of readBlock", () => {
    for (const { root, id, startLt } of blocks) {
      const header = readBlockHeader(root);
      const { info, newStateHash } = readBlock(root);
      expect(header).toMatchObject({ workchain: id.workchain, shard: id.shard, seqno: id.seqno, startLt, time: info.time });
      expect(header.readPrevious()).toEqual([{ ...info.previous, workchain: id.workchain, shard: id.shard }]);
      expect(header.readMaster()).toEqual(info.master);
      expect(header.readStateHashes().newHash).toEqual(newStateHash);
      expect(header.isMasterchain).toBe(id.workchain === -1);
    }
  });

  test("reads a proof as far as it goes", () => {
    const header = readBlockHeader(shown(left, readBlockHeader));
    expect(header.seqno).toBe(1);
    expect(() => header.readPrevious()).toThrow(PrunedCellError);
    expect(() => header.readMaster()).toThrow(PrunedCellError);
    const more = readBlockHeader(shown(left, (root) => readBlockHeader(root).readPrevious()));
    expect(more.readPrevious()).toEqual(readBlockHeader(left).readPrevious());
  });

  test("names the blocks before a split and before a merge by their shards", () => {
    const [, info, ...others] = [left, ...left.refs] as [Cell, Cell, ...Cell[]];
    // Bits 64 to 71 are not_master, after_merge, before_split, after_split and others.
    const withFlags = (flags: number, previous: Cell) => {
      const changed = new CellBuilder().bitsOf(info.bytes, 0, 64).uint(flags, 4).bitsOf(info.bytes, 68, info.bitLength);
      changed.ref(info.refs[0] as Cell).ref(previous);
      const root = new CellBuilder().bitsOf(left.bytes, 0, left.bitLength).ref(changed.cell());
      for (const other of others) root.ref(other);
      return readBlockHeader(root.cell());
    };
    const [own] = readBlockHeader(left).readPrevious();
    const before = info.refs[1] as Cell;
    expect(withFlags(0b1001, before).readPrevious()).toEqual([{ ...own, shard: WHOLE_WORKCHAIN }]);
    const both = new CellBuilder().ref(before).ref(before).cell();
    expect(withFlags(0b1100, both).readPrevious()).toEqual([
      { ...own, shard: 2n ** 61n },
      { ...own, shard: 3n * 2n ** 61n },
    ]);
  });
});

describe("transactions of a block", () => {
  const all = Array.from(readTransactions(left));

  test("are read in order, and by account and lt", () => {
    expect(all.map(({ cell }) => cell)).toEqual(readBlock(left).transactions);
    for (const { account, lt, cell } of all) {
      expect(readTransactionHeader(cell)).toMatchObject({ account, lt });
      expect(lookUpTransaction(left, { account, lt })).toBe(cell);
      expect(lookUpTransaction(left, { account, lt: lt + 1n })).toBeUndefined();
    }
    expect(lookUpTransaction(left, { account: new Uint8Array(32), lt: 1n })).toBeUndefined();
    expect(Array.from(readTransactions(left, { falling: true })).reverse()).toEqual(all);
    for (const [i, after] of all.entries()) {
      expect(Array.from(readTransactions(left, { after }))).toEqual(all.slice(i + 1));
      expect(Array.from(readTransactions(left, { after, falling: true })).reverse()).toEqual(all.slice(0, i));
    }
    const between = { account: new Uint8Array(32).fill(0x12), lt: 0n };
    expect(Array.from(readTransactions(left, { after: between }))).toEqual(all.slice(2));
  });

  test("are proven without their cells, and the others stay unknown", () => {
    const [first, ...others] = all;
    if (!first) throw new Error("the block has no transactions");
    const proof = shown(left, (root) => lookUpTransaction(root, first));
    expect(lookUpTransaction(proof, first)?.type).toBe("pruned");
    expect(lookUpTransaction(proof, first)?.hashAt(0)).toEqual(first.cell.hash);
    for (const other of others.slice(1)) expect(() => lookUpTransaction(proof, other)).toThrow(PrunedCellError);
    expect(() => [...readTransactions(proof)]).toThrow(PrunedCellError);
    const whole = shown(left, (root) => [...readTransactions(root)]);
    expect(Array.from(readTransactions(whole), ({ lt }) => lt)).toEqual(all.map(({ lt }) => lt));
  });
});

test("readBlockShards touches no shards", () => {
  const shards = readBlockShards(shown(master, readBlockShards));
  expect(shards?.hashAt(0)).toEqual(readBlockShards(master)?.hash);
  expect(() => readShardTops(shards)).toThrow(PrunedCellError);
  expect(() => readBlockShards(left)).toThrow("the block is not one of the masterchain");
  expect(new CellReader(master).uint(32)).toBe(0x11ef55aa);
});

test("a key block shows its configuration, and names the validators that sign it", () => {
  const keyBlock = blocks.find(({ root }) => readBlockHeader(root).isKey)?.root as Cell;
  const proof = shown(keyBlock, (root) => [readBlockHeader(root), readBlockConfig(root)]);
  expect(readBlockHeader(proof)).toMatchObject({ isKey: true, catchainSeqno: 7, validatorListHash: 0xfedcba98 });
  expect(readBlock(keyBlock).info).toMatchObject({ catchainSeqno: 7, validatorListHash: 0xfedcba98 });
  expect(readBlockConfig(proof)?.type).toBe("pruned");
  expect(readBlockConfig(keyBlock)?.refs).toHaveLength(2);
  expect(readBlockConfig(master)).toBeUndefined();
  expect(() => readBlockConfig(left)).toThrow("the block is not one of the masterchain");
});
