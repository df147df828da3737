import { readShard } from "@chain-query/block-walker/block";
import { readShardHashes } from "@chain-query/block-walker/masterchain";
import { bigInt, assert as check, constantFrom, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { coinsOnly, NO_CURRENCIES } from "../../src/state/currencies.ts";
import { type ShardDescription, writeShardHashes } from "../../src/state/shard-description.ts";
import { containsAccount, prefixLength, WHOLE_WORKCHAIN, writeShardIdent } from "../../src/state/shard-ident.ts";
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

describe("shards", () => {
  test.each([1, 2, 4, 8])("in %i parts hold every account once", (count) => {
    check(
      property(uint8Array({ minLength: 32, maxLength: 32 }), constantFrom(-1, 0), (hash, workchain) => {
        const holding = parts(count).filter((shard) => containsAccount({ workchain: 0, shard }, { workchain, hash }));
        expect(holding.length).toBe(workchain === 0 ? 1 : 0);
        const [first] = holding;
        const index = (hash[0] as number) >> (8 - Math.log2(count));
        if (first !== undefined) expect(first).toBe(parts(count)[index]);
      }),
    );
  });

  test("are named by their prefix and its length", () => {
    expect([1, 2, 4, 8].map((count) => parts(count).map(prefixLength).at(-1))).toEqual([0, 1, 2, 3]);
    check(
      property(bigInt({ min: 0n, max: 59n }), bigInt({ min: 0n, max: 2n ** 64n - 1n }), (length, any) => {
        const marked = ((any >> (63n - length)) | 1n) << (63n - length);
        const builder = new CellBuilder();
        writeShardIdent(builder, { workchain: -1, shard: BigInt.asIntN(64, marked) });
        const read = readShard(toCoreCell(builder.cell()).beginParse());
        expect(read).toEqual({ workchain: -1, shard: marked.toString(16).padStart(16, "0") });
      }),
    );
  });

  test.each([1, 2, 4, 8])("stand in the masterchain as a tree of %i leaves", (count) => {
    const builder = new CellBuilder();
    writeShardHashes(builder, parts(count).map(describeShard).reverse());
    const read = readShardHashes(toCoreCell(builder.cell()).beginParse());
    expect(read.map(({ shard }) => shard)).toEqual(parts(count).map((shard) => BigInt.asUintN(64, shard).toString(16)));
    expect(read.map(({ seqno, endLt, fees }) => [seqno, endLt, fees.get(0) ?? 0n])).toEqual(
      parts(count).map((_, i) => [i, 1000n + BigInt(i), BigInt(i)]),
    );
  });

  test("may be none", () => {
    const builder = new CellBuilder();
    writeShardHashes(builder, []);
    expect(builder.bitLength).toBe(1);
  });

  test("that miss a part, or lie within each other, are refused", () => {
    const write = (shards: readonly bigint[]) => () => writeShardHashes(new CellBuilder(), shards.map(describeShard));
    expect(write(parts(4).slice(0, 3))).toThrow("no block is given for shard");
    expect(write([WHOLE_WORKCHAIN, ...parts(2)])).toThrow("a shard lies within another one");
  });
});
