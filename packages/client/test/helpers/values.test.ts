import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnyMessage,
  compareLt,
  formatNano,
  InvalidArgumentError,
  messageText,
  parseNano,
  toBigInt,
} from "../../src/index.ts";
import { fixtures } from "../../src/testing.ts";

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

const base64 = (bytes: string | number[]) => Buffer.from(bytes as string).toString("base64");
const withText = (type: string, text: string) => ({ msg_data: { "@type": type, text } }) as Pick<AnyMessage, "msg_data">;

describe("messageText", () => {
  test("reads the comment of a message, of a listing and of a located transaction", () => {
    expect(messageText(fixtures.tryLocateResultTx.transfer.in_msg)).toBe("Thanks for the coffee");
    const listed = fixtures.getTransactionsStd["first-page"].transactions.flatMap(({ out_msgs }) => out_msgs);
    expect(listed.map(messageText)).toContain("Welcome, Carol");
  });

  test.for(["", "Grüße, 世界 👋", "\uFEFFbyte order mark"])("reads UTF-8: %s", (text) => {
    expect(messageText(withText("msg.dataText", base64(text)))).toBe(text);
    expect(messageText(withText("msg.dataDecryptedText", base64(text)))).toBe(text);
  });

  test.for<[string, Pick<AnyMessage, "msg_data"> | undefined]>([
    ["that is still encrypted", withText("msg.dataEncryptedText", base64("secret"))],
    ["that is not decoded", { msg_data: { "@type": "msg.dataRaw", body: base64("body"), init_state: "" } }],
    ["that is not UTF-8", withText("msg.dataText", base64([0xc3, 0x28]))],
    ["that is not base64", withText("msg.dataText", "%%%")],
    ["of a transaction without a message", undefined],
  ])("finds no text in a body %s", ([, message]) => {
    expect(messageText(message)).toBeUndefined();
  });
});
