import { readShardHashes as walkShardHashes } from "@chain-query/block-walker/masterchain";
import { describe, expect, test } from "vitest";
import { CellBuilder, CellReader } from "../../src/cells/index.ts";
import { coinsOnly, NO_CURRENCIES } from "../../src/currencies.ts";
import { WHOLE_WORKCHAIN } from "../../src/identifiers.ts";
import { readShardHashes, type ShardDescription, writeShardHashes } from "../../src/states/shards.ts";
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
  };
}

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
  });

  test("writes no shards as one bit", () => {
    const builder = new CellBuilder();
    writeShardHashes(builder, []);
    expect(builder.bitLength).toBe(1);
  });

  test("rejects shards that do not cover the basechain, or that overlap", () => {
    const write = (shards: readonly bigint[]) => () => writeShardHashes(new CellBuilder(), shards.map(describeShard));
    expect(write(parts(4).slice(0, 3))).toThrow(/^shard -?\d+ has no block$/);
    expect(write([WHOLE_WORKCHAIN, ...parts(2)])).toThrow("a shard lies within another one");
  });
});
