import { describe, expect, test } from "vitest";
import { CellBuilder, PrunedCellError } from "../../src/cells/index.ts";
import { childShards, intersects, isSameBlock, parentShard, type ShardId, WHOLE_WORKCHAIN } from "../../src/identifiers.ts";
import {
  encodeState,
  lookUpAccount,
  lookUpPastBlock,
  lookUpShard,
  readKeyBlocks,
  readMasterchainParts,
  readQueueSize,
  readShardHashes,
  readShardTops,
  readStateShards,
} from "../../src/states/index.ts";
import { sampleBlocks, shown } from "../blocks/sample-blocks.ts";

const { blocks } = sampleBlocks();
const inMaster = blocks.filter(({ id }) => id.workchain === -1);
const last = inMaster.at(-1);
const left = blocks.find(({ id }) => id.shard === 2n ** 62n);
if (!last || !left) throw new Error("a block is missing");
const master = encodeState(last.state);
const state = encodeState(left.state);

describe("lookUpAccount", () => {
  test("finds every account with its balance and last transaction, by reading its path alone", () => {
    expect(left.state.accounts.size).toBe(3);
    for (const [address, { account, balance, lastHash, lastLt }] of left.state.accounts) {
      const entry = lookUpAccount(
        shown(state, (root) => lookUpAccount(root, address)),
        address,
      );
      expect(entry?.account.hashAt(0)).toEqual(account.hash);
      expect(entry?.last).toEqual({ hash: lastHash, lt: lastLt });
      expect(entry?.coins).toBe(balance.coins);
    }
  });

  test("distinguishes absence from pruned entries", () => {
    const absent = new Uint8Array(32).fill(0x77);
    const proof = shown(state, (root) => lookUpAccount(root, absent));
    expect(lookUpAccount(proof, absent)).toBeUndefined();
    expect(() => lookUpAccount(proof, new Uint8Array(32).fill(2).fill(0x22, 0, 1))).toThrow(PrunedCellError);
  });
});

describe("lookUpPastBlock", () => {
  test("finds the blocks before, and no others", () => {
    for (const { id, ref } of inMaster.slice(0, -1)) {
      const proof = shown(master, (root) => lookUpPastBlock(root, id.seqno));
      expect(lookUpPastBlock(proof, id.seqno)).toEqual({ ...id, endLt: ref.endLt });
    }
    expect(lookUpPastBlock(master, last.id.seqno)).toBeUndefined();
    expect(() => lookUpPastBlock(state, 1)).toThrow("the state is not one of the masterchain");
    expect(readMasterchainParts(master).config).toEqual(last.state.masterchain?.config);
  });
});

test("readKeyBlocks finds the key blocks of every state without its past blocks", () => {
  for (const { state } of inMaster) {
    const root = encodeState(state);
    const proof = shown(root, readKeyBlocks);
    const { isAfterKeyBlock, lastKeyBlock } = state.masterchain ?? {};
    expect(readKeyBlocks(proof)).toEqual({ isAfterKeyBlock, lastKeyBlock });
    expect(() => lookUpPastBlock(proof, 0)).toThrow(PrunedCellError);
  }
  expect(new Set(inMaster.map(({ state }) => readKeyBlocks(encodeState(state)).lastKeyBlock?.seqno)).size).toBeGreaterThan(1);
});

describe("shards", () => {
  const both = childShards({ workchain: 0, shard: WHOLE_WORKCHAIN });

  test("are read without their amounts", () => {
    const tops = readShardTops(readStateShards(master));
    const whole = readShardHashes(readStateShards(master));
    expect(whole.map(({ feesCollected: _, fundsCreated: __, ...top }) => top)).toEqual(tops);
    const proof = shown(master, (root) => readShardTops(readStateShards(root)));
    expect(readShardTops(readStateShards(proof))).toEqual(tops);
  });

  test("are looked up by a shard that they contain", () => {
    for (const [i, shard] of both.entries()) {
      const [smaller] = childShards(shard);
      const proof = shown(master, (root) => lookUpShard(readStateShards(root), smaller));
      const found = lookUpShard(readStateShards(proof), shard);
      expect(found?.shard).toBe(shard.shard);
      expect(found).toEqual(readShardTops(readStateShards(master))[i]);
      expect(() => lookUpShard(readStateShards(proof), both[1 - i] as ShardId)).toThrow(PrunedCellError);
    }
    expect(lookUpShard(readStateShards(master), { workchain: 0, shard: WHOLE_WORKCHAIN })).toBeUndefined();
    expect(lookUpShard(readStateShards(master), { workchain: 1, shard: WHOLE_WORKCHAIN })).toBeUndefined();
    expect(lookUpShard(undefined, both[0])).toBeUndefined();
  });
});

describe("readQueueSize", () => {
  /** A state whose queue information ends with these bits. */
  const withExtra = (extra: (builder: CellBuilder) => CellBuilder) => {
    const [, ...others] = state.refs;
    const builder = new CellBuilder().bitsOf(state.bytes, 0, state.bitLength);
    builder.ref(extra(new CellBuilder().bit(false).bigUint(0n, 64).bit(false)).cell());
    for (const other of others) builder.ref(other);
    return builder.cell();
  };

  test("reads the size, if the state holds it", () => {
    const size = (builder: CellBuilder) =>
      builder
        .bit(true)
        .uint(0, 4)
        .bit(false)
        .bigUint(0n, 64)
        .bit(true)
        .uint(2 ** 40, 48);
    expect(readQueueSize(withExtra(size))).toBe(2 ** 40);
    expect(readQueueSize(shown(withExtra(size), readQueueSize))).toBe(2 ** 40);
    expect(readQueueSize(withExtra((builder) => builder.bit(false)))).toBeUndefined();
  });
});

test("shards divide, and contain one another", () => {
  const whole = { workchain: 0, shard: WHOLE_WORKCHAIN };
  const [one, other] = childShards(whole);
  expect([one.shard, other.shard]).toEqual([2n ** 62n, -(2n ** 62n)]);
  expect([parentShard(one), parentShard(other)]).toEqual([whole, whole]);
  expect([intersects(one, other), intersects(one, whole), intersects(whole, other)]).toEqual([false, true, true]);
  expect(intersects(one, { ...one, workchain: -1 })).toBe(false);
  expect(intersects(one, childShards(one)[1])).toBe(true);
  expect(intersects(other, childShards(one)[1])).toBe(false);
  expect(isSameBlock(left.id, { ...left.id })).toBe(true);
  for (const part of [
    { seqno: 9 },
    { shard: 1n },
    { workchain: 3 },
    { rootHash: left.id.fileHash },
    { fileHash: left.id.rootHash },
  ]) {
    expect(isSameBlock(left.id, { ...left.id, ...part })).toBe(false);
  }
});
