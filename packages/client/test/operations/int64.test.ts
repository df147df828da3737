import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { compareLt, decodeInt64, toBigInt } from "../../src/index.ts";

const natural = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

describe("toBigInt", () => {
  test("reads back any integer that was written", () => {
    fc.assert(
      fc.property(fc.bigInt(), (integer) => toBigInt(String(integer)) === integer),
      { seed: 1 },
    );
  });

  test.for(["", " ", "1.5", "0x10", "1e3", "-", "+1", " 1", "1n", "1_000", "٣"])("rejects %j", (text) => {
    expect(() => toBigInt(text)).toThrow(SyntaxError);
  });
});

describe("compareLt", () => {
  test("orders logical times as their integers", () => {
    fc.assert(
      fc.property(natural, natural, (a, b) => Math.sign(compareLt(String(a), String(b))) === (a < b ? -1 : Number(a > b))),
      { seed: 1 },
    );
  });

  test("sorts", () => {
    expect(["100", "9", "10", "0", "9"].sort(compareLt)).toEqual(["0", "9", "9", "10", "100"]);
  });
});

describe("decodeInt64", () => {
  test("makes bigints of logical times, shards and amounts, however deep, and of nothing else", () => {
    const response = {
      last: { shard: "-9223372036854775808", seqno: 7 },
      list: [{ lt: "5", created_lt: "6", hash: "7" }, null],
      value: "8",
      size: "9",
    };
    const decoded = decodeInt64(response);
    expect(decoded).toEqual({
      last: { shard: -(2n ** 63n), seqno: 7 },
      list: [{ lt: 5n, created_lt: 6n, hash: "7" }, null],
      value: 8n,
      size: "9",
    });
    expectTypeOf(decoded.last.shard).toEqualTypeOf<bigint>();
    expectTypeOf(decoded.value).toEqualTypeOf<bigint>();
    expectTypeOf(decoded.size).toEqualTypeOf<string>();
    expect(response.last.shard).toBe("-9223372036854775808");
  });

  test("leaves members that are not strings unchanged", () => {
    expect(decodeInt64({ lt: 5, shard: null })).toEqual({ lt: 5, shard: null });
  });

  test("decodes every logical time exactly", () => {
    fc.assert(
      fc.property(natural, (lt) => decodeInt64([{ lt: String(lt) }])[0]?.lt === lt),
      { seed: 1 },
    );
  });
});
