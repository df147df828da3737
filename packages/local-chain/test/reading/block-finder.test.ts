import { describe, expect, test } from "vitest";
import { containsShard } from "../../src/reading/block-finder.ts";

const basechain = (bits: string) => ({
  workchain: 0,
  shard: BigInt.asIntN(64, BigInt(`0b${bits.padEnd(64, "0")}`)),
});

describe("containsShard", () => {
  test.each([
    ["1", "1", true],
    ["1", "01", true],
    ["01", "1", false],
    ["01", "001", true],
    ["01", "011", true],
    ["01", "11", false],
    ["11", "101", true],
    ["11", "111", true],
    ["11", "011", false],
    ["0011", "00111", true],
    ["0011", "01011", false],
  ])("of %s and %s is %s", (outer, inner, expected) => {
    expect(containsShard(basechain(outer), basechain(inner))).toBe(expected);
  });

  test("is false for 0, which is not a shard", () => {
    expect(containsShard(basechain("1"), { workchain: 0, shard: 0n })).toBe(false);
    expect(containsShard({ workchain: 0, shard: 0n }, basechain("1"))).toBe(false);
  });

  test("is false across workchains", () => {
    expect(containsShard({ workchain: -1, shard: basechain("1").shard }, basechain("1"))).toBe(false);
  });
});
