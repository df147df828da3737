import { readShard } from "@chain-query/testing/block-walker/block";
import { bigInt, assert as check, constantFrom, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { CellBuilder, CellError, CellReader } from "../src/cells/index.ts";
import {
  accountName,
  blockName,
  containsAccount,
  containsPrefix,
  intersects,
  MASTERCHAIN,
  prefixLength,
  readAddress,
  readShardIdent,
  type ShardId,
  shardName,
  smallestShard,
  smallestWithin,
  writeAddress,
  writeShardIdent,
} from "../src/identifiers.ts";
import { toCoreCell } from "./core-cell.ts";

/** The shards of a workchain in 1, 2, 4 or 8 parts. */
function parts(count: number): bigint[] {
  const half = 2n ** 63n / BigInt(count);
  return Array.from({ length: count }, (_, i) => BigInt.asIntN(64, BigInt(2 * i + 1) * half));
}

describe("shards", () => {
  test.each([1, 2, 4, 8])("cover every account once in %i parts", (count) => {
    check(
      property(uint8Array({ minLength: 32, maxLength: 32 }), constantFrom(-1, 0), (hash, workchain) => {
        const holding = parts(count).filter((shard) => containsAccount({ workchain: 0, shard }, { workchain, hash }));
        expect(holding.length).toBe(workchain === 0 ? 1 : 0);
        const [first] = holding;
        const index = (hash[0] as number) >> (8 - Math.log2(count));
        if (first !== undefined) expect(first).toBe(parts(count)[index]);
      }),
      { seed: 1 },
    );
  });

  test("are written as a prefix and its length, and read back", () => {
    expect([1, 2, 4, 8].map((count) => parts(count).map(prefixLength).at(-1))).toEqual([0, 1, 2, 3]);
    check(
      property(bigInt({ min: 0n, max: 59n }), bigInt({ min: 0n, max: 2n ** 64n - 1n }), (length, any) => {
        const marked = ((any >> (63n - length)) | 1n) << (63n - length);
        const builder = new CellBuilder();
        writeShardIdent(builder, { workchain: -1, shard: BigInt.asIntN(64, marked) });
        const cell = builder.cell();
        expect(readShardIdent(new CellReader(cell))).toEqual({ workchain: -1, shard: BigInt.asIntN(64, marked) });
        const read = readShard(toCoreCell(cell).beginParse());
        expect(read).toEqual({ workchain: -1, shard: marked.toString(16).padStart(16, "0") });
      }),
      { seed: 1 },
    );
  });
});

test("accounts, shards and blocks have names", () => {
  expect(accountName({ workchain: -1, hash: new Uint8Array(32).fill(0xc4) })).toBe(`-1:${"C4".repeat(32)}`);
  expect(shardName({ workchain: 0, shard: 2n ** 62n })).toBe("0:4000000000000000");
  expect(blockName({ ...MASTERCHAIN, seqno: 12 })).toBe("-1:8000000000000000:12");
});

describe("readAddress", () => {
  const HASH = Uint8Array.from({ length: 32 }, (_, i) => i);
  const read = (builder: CellBuilder) => readAddress(new CellReader(builder.cell()));

  test("reads the standard and the variable form", () => {
    expect(read(writeAddress(new CellBuilder(), { workchain: -1, hash: HASH }))).toEqual({ workchain: -1, hash: HASH });
    const variable = new CellBuilder().uint(0b110, 3).uint(256, 9).int(-5, 32).bytes(HASH);
    expect(read(variable)).toEqual({ workchain: -5, hash: HASH });
  });

  test("reads addresses outside the chain as undefined, with all their bits", () => {
    const reader = new CellReader(new CellBuilder().uint(0b00, 2).uint(0b01, 2).uint(12, 9).uint(0xabc, 12).uint(5, 3).cell());
    expect([readAddress(reader), readAddress(reader), reader.uint(3)]).toEqual([undefined, undefined, 5]);
  });

  test.each([
    ["aac10203", 0b1010101011, 10, HASH],
    ["aacf0203", 0b101010101100, 12, Uint8Array.from(HASH).fill(0xff, 0, 2)],
  ])("replaces the first bits of an anycast address: %s", (expected, prefix, depth, hash) => {
    const anycast = new CellBuilder().uint(0b101, 3).uint(depth, 5).uint(prefix, depth).int(0, 8).bytes(hash);
    expect(Buffer.from(read(anycast)?.hash ?? []).toString("hex", 0, 4)).toBe(expected);
  });

  test("rejects an address of another length", () => {
    const short = new CellBuilder().uint(0b110, 3).uint(100, 9).int(0, 32).bigUint(0n, 100);
    expect(() => read(short)).toThrow(new CellError("an address has 100 bits, expected 256"));
  });
});

test("the smallest shard of an account has 60 bits of its address", () => {
  const hash = new Uint8Array(32).fill(0xff);
  expect(BigInt.asUintN(64, smallestShard({ workchain: 0, hash }).shard).toString(16)).toBe("fffffffffffffff8");
  check(
    property(uint8Array({ minLength: 32, maxLength: 32 }), (address) => {
      const account = { workchain: 0, hash: address };
      expect(containsAccount(smallestShard(account), account)).toBe(true);
    }),
    { seed: 1 },
  );
});

test("the smallest shard within a shard is in it", () => {
  check(
    property(bigInt({ min: 1n, max: 2n ** 61n - 1n }), (prefix) => {
      const shard = { workchain: 0, shard: BigInt.asIntN(64, prefix << 3n) };
      const smallest = smallestWithin(shard);
      expect(intersects(smallest, shard)).toBe(true);
      expect(smallest.shard & 15n).toBe(8n);
    }),
    { seed: 1 },
  );
});

const inBasechain = (bits: string) => ({
  workchain: 0,
  shard: BigInt.asIntN(64, BigInt(`0b${bits.padEnd(64, "0")}`)),
});

describe("containsPrefix", () => {
  const shardAt = (asked: ShardId) => shards.find((known) => containsPrefix(known, asked));
  const shards: readonly ShardId[] = [MASTERCHAIN, ...parts(4).map((shard) => ({ workchain: 0, shard }))];

  test.each([
    ["a shard of the chain", "011", "011"],
    ["a shard within one", "0111", "011"],
    ["the prefix of an account, with a marking bit after 60 bits", `01${"10".repeat(29)}1`, "011"],
    ["the first account of a shard", `11${"0".repeat(58)}1`, "111"],
    ["the last account of a shard", `11${"1".repeat(58)}1`, "111"],
    ["the whole workchain, which is also the prefix 1000…", "1", "101"],
    ["the lower half, which is also the prefix 0100…", "01", "011"],
    ["the upper half, which is also the prefix 1100…", "11", "111"],
  ])("takes %s for its account's shard", (_, asked, expected) => {
    expect(shardAt(inBasechain(asked))).toEqual(inBasechain(expected));
  });

  test("takes any prefix of the masterchain for the masterchain", () => {
    expect(shardAt({ ...inBasechain("0001"), workchain: -1 })).toEqual(MASTERCHAIN);
  });

  test("finds nothing for 0, which is not a shard, and in other workchains", () => {
    expect(shardAt({ workchain: 0, shard: 0n })).toBeUndefined();
    expect(shardAt({ ...inBasechain("1"), workchain: 1 })).toBeUndefined();
  });
});
