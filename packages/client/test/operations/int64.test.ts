import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareLt, toBigInt } from "../../src/index.ts";

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
