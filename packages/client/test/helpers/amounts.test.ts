import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatNano, InvalidArgumentError, parseNano } from "../../src/index.ts";

const anything = (value: unknown) => value as never;

describe("formatNano", () => {
  test.for<[bigint | string | number, string]>([
    ["3500000000", "3.5"],
    [0n, "0"],
    [1n, "0.000000001"],
    [-1_500_000_000, "-1.5"],
    ["-1", "-0.000000001"],
    [10n ** 30n, "1000000000000000000000"],
    ["000", "0"],
  ])("writes %s as %s", ([nano, text]) => {
    expect(formatNano(nano)).toBe(text);
  });

  test("has other currencies and trailing zeros", () => {
    expect(formatNano(1_234_567n, { decimals: 6 })).toBe("1.234567");
    expect(formatNano(5, { decimals: 0 })).toBe("5");
    expect(formatNano(3_500_000_000n, { minFractionDigits: 2 })).toBe("3.50");
    expect(formatNano(3_000_000_000n, { minFractionDigits: 2 })).toBe("3.00");
  });

  test("writes a text that Intl formats without losing a digit", () => {
    const format = new Intl.NumberFormat("de", { maximumFractionDigits: 9 });
    expect(format.format(formatNano(123_456_789_123_456_789_123n) as `${number}`)).toBe("123.456.789.123,456789123");
  });

  test.for([3.5, 2 ** 60, "3.5", "", "0x5", "1e9", " 1", undefined, null, {}])("rejects %s", (nano) => {
    expect(() => formatNano(anything(nano))).toThrow(InvalidArgumentError);
    expect(() => formatNano(anything(nano))).toThrow(/nano must be an integer as bigint, safe integer or decimal digits, got /);
  });

  test("rejects wrong options", () => {
    expect(() => formatNano(5n, { decimals: -1 })).toThrow("decimals must be an integer from 0 to 255, got -1");
    expect(() => formatNano(5n, { minFractionDigits: 10 })).toThrow("minFractionDigits must be an integer from 0 to 9, got 10");
  });
});

describe("parseNano", () => {
  test.for<[string, bigint]>([
    ["3.5", 3_500_000_000n],
    ["0", 0n],
    ["-0.000000001", -1n],
    ["007", 7_000_000_000n],
    ["1.100000000", 1_100_000_000n],
  ])("reads %s", ([text, nano]) => {
    expect(parseNano(text)).toBe(nano);
  });

  test.for(["", ".", ".5", "5.", "1,5", "1e9", "+1", " 1", "1.0000000001", "1.2.3", "0x5", "١", 1.5, undefined, {}])(
    "rejects %s",
    (text) => {
      expect(() => parseNano(anything(text))).toThrow(InvalidArgumentError);
      expect(() => parseNano(anything(text))).toThrow(
        /^parseNano: text must be a decimal number with at most 9 digits after the point, got /,
      );
    },
  );

  test("parses the output of formatNano for any amount", () => {
    const decimals = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), decimals, (nano, digits) => {
        expect(parseNano(formatNano(nano, { decimals: digits, minFractionDigits: digits }), { decimals: digits })).toBe(nano);
        expect(parseNano(formatNano(nano, { decimals: digits }), { decimals: digits })).toBe(nano);
      }),
      { seed: 1 },
    );
  });
});
