import { readShardHashes as walkShardHashes } from "@chain-query/testing/block-walker/masterchain";
import { describe, expect, test } from "vitest";
import { type Cell, CellBuilder, CellReader } from "../../src/cells/index.ts";
import { coinsOnly, NO_CURRENCIES } from "../../src/currencies.ts";
import { WHOLE_WORKCHAIN } from "../../src/identifiers.ts";
import {
  lookUpShard,
  type Resharding,
  readShardHashes,
  readShardTops,
  type ShardDescription,
  writeShardHashes,
} from "../../src/states/shards.ts";
import { toCoreCell } from "../core-cell.ts";

/** The shards of a workchain in 1, 2, 4 or 8 parts. */
function parts(count: number): bigint[] {
  const half = 2n ** 63n / BigInt(count);
  return Array.from({ length: count }, (_, i) => BigInt.asIntN(64, BigInt(2 * i + 1) * half));
}

function describeShard(shard: bigint, i: number): ShardDescription {
  return {
    workchain: 0,
    shard,
    block: {
      endLt: 1000n + BigInt(i),
      seqno: i,
      rootHash: new Uint8Array(32).fill(i),
      fileHash: new Uint8Array(32).fill(i + 100),
    },
    startLt: 900n,
    registeredSeqno: 3,
    minRefMasterchainSeqno: 2,
    time: 1_770_000_000,
    feesCollected: coinsOnly(BigInt(i)),
    fundsCreated: NO_CURRENCIES,
    ...(ANNOUNCED[i] && { resharding: ANNOUNCED[i] }),
  };
}

const NOTHING = { isBeforeSplit: false, isBeforeMerge: false, wantsSplit: false, wantsMerge: false };
const WINDOW = { start: 1_770_000_100, seconds: 60 };
/** By index of the shard. */
const ANNOUNCED: readonly (Resharding | undefined)[] = [
  undefined,
  { ...NOTHING, wantsSplit: true, window: { kind: "split", ...WINDOW } },
  { ...NOTHING, isBeforeSplit: true },
  { ...NOTHING, isBeforeMerge: true, wantsMerge: true, window: { kind: "merge", ...WINDOW } },
];
const FLAGS = ["0000", "0010", "1000", "0101"];
const FUTURES = [
  undefined,
  { kind: "split", start: 1_770_000_100, interval: 60 },
  undefined,
  { kind: "merge", start: 1_770_000_100, interval: 60 },
];

describe("readShardTops and readShardHashes", () => {
  /** TL-B `shard_descr#b`, whose amounts stand inline, as older blocks have it. */
  const older = (future: (builder: CellBuilder) => CellBuilder) => {
    const builder = new CellBuilder().bit(false).uint(0xb, 4).uint(7, 32).uint(3, 32).bigUint(900n, 64).bigUint(1000n, 64);
    builder
      .bytes(new Uint8Array(32).fill(1))
      .bytes(new Uint8Array(32).fill(2))
      .uint(0, 8 + 32)
      .bigUint(2n ** 63n, 64);
    return future(builder.uint(2, 32).uint(1_770_000_000, 32)).coins(5n).bit(false).coins(0n).bit(false).cell();
  };
  const futures = {
    nothing: (builder: CellBuilder) => builder.bit(false),
    "a split": (builder: CellBuilder) => builder.uint(0b10, 2).uint(1_770_000_100, 32).uint(60, 32),
    "a merge": (builder: CellBuilder) => builder.uint(0b11, 2).uint(1_770_000_100, 32).uint(60, 32),
  };

  test.each(Object.entries(futures))("read the older form of a description before %s", (_, future) => {
    const tree = new CellBuilder().uint(0b10, 2).uint(32, 6).uint(0, 32).ref(older(future)).cell();
    const [top, ...others] = readShardTops(tree);
    expect(others).toEqual([]);
    expect(top).toMatchObject({ workchain: 0, shard: WHOLE_WORKCHAIN, registeredSeqno: 3, startLt: 900n, time: 1_770_000_000 });
    expect(top?.block).toMatchObject({ seqno: 7, endLt: 1000n });
    expect(readShardHashes(tree)).toMatchObject([{ ...top, feesCollected: coinsOnly(5n), fundsCreated: NO_CURRENCIES }]);
    expect(lookUpShard(tree, { workchain: 0, shard: 1n })).toEqual(top);
  });

  test("refuse a description of another kind, and a tree without an end", () => {
    const leaf = new CellBuilder().bit(false).uint(0xc, 4).cell();
    const trees = (cell: Cell) => new CellBuilder().uint(0b10, 2).uint(32, 6).uint(0, 32).ref(cell).cell();
    expect(() => readShardTops(trees(leaf))).toThrow(
      "ShardDescr must have tag a or b, got c: the cell holds something else, or is of a newer block.tlb",
    );
    let deep = leaf;
    for (let i = 0; i < 70; i++) deep = new CellBuilder().bit(true).ref(deep).ref(deep).cell();
    expect(() => readShardTops(trees(deep))).toThrow("a tree of shards is deeper than 63");
    expect(lookUpShard(trees(deep), { workchain: 0, shard: 1n })).toBeUndefined();
  });
});

describe("writeShardHashes", () => {
  test.each([1, 2, 4, 8])("writes a tree of %i shards, which reads back", (count) => {
    const builder = new CellBuilder();
    const shards = parts(count).map(describeShard);
    writeShardHashes(builder, [...shards].reverse());
    const cell = builder.cell();
    expect(readShardHashes(new CellReader(cell).maybeRef())).toEqual(shards);
    const read = walkShardHashes(toCoreCell(cell).beginParse());
    expect(read.map(({ shard }) => shard)).toEqual(parts(count).map((shard) => BigInt.asUintN(64, shard).toString(16)));
    expect(read.map(({ seqno, endLt, fees }) => [seqno, endLt, fees.get(0) ?? 0n])).toEqual(
      parts(count).map((_, i) => [i, 1000n + BigInt(i), BigInt(i)]),
    );
    expect(read.map(({ flags, future }) => [flags, future])).toEqual(
      parts(count).map((_, i) => [FLAGS[i] ?? "0000", FUTURES[i]]),
    );
  });

  test("writes no shards as one bit", () => {
    const builder = new CellBuilder();
    writeShardHashes(builder, []);
    expect(builder.bitLength).toBe(1);
  });

  test("rejects shards that do not cover the basechain, or that overlap", () => {
    const write = (shards: readonly bigint[]) => () => writeShardHashes(new CellBuilder(), shards.map(describeShard));
    expect(write(parts(4).slice(0, 3))).toThrow(/^shard -?\d+ has no block$/);
    expect(write([WHOLE_WORKCHAIN, ...parts(2)])).toThrow("a shard is within another one");
  });
});
