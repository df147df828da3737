import { MASTERCHAIN, shardAt } from "@chain-query/format/identifiers";
import { describe, expect, test } from "vitest";
import { basechainShards } from "../../src/genesis/zero-states.ts";

const basechain = (bits: string) => ({
  workchain: 0,
  shard: BigInt.asIntN(64, BigInt(`0b${bits.padEnd(64, "0")}`)),
});

describe("shardAt", () => {
  const shards = [MASTERCHAIN, ...basechainShards(4)];

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
    expect(shardAt(shards, basechain(asked))).toEqual(basechain(expected));
  });

  test("takes any prefix of the masterchain for the masterchain", () => {
    expect(shardAt(shards, { ...basechain("0001"), workchain: -1 })).toEqual(MASTERCHAIN);
  });

  test("finds nothing for 0, which is not a shard, and in other workchains", () => {
    expect(shardAt(shards, { workchain: 0, shard: 0n })).toBeUndefined();
    expect(shardAt(shards, { ...basechain("1"), workchain: 1 })).toBeUndefined();
  });
});
