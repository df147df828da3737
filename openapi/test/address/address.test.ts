import { operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { AddressError, isAddress, parseAddress, sameAddress, toFriendlyAddress, toRawAddress } from "../../src/address.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ZERO = "0".repeat(64);
const THREES = "3".repeat(64);

/** The document that defines the form gives this account, bounceable and test-only, in the standard alphabet. */
const DEFINED = {
  raw: "-1:FCB91A3A3816D0F7B8C2C76108B8A9BC5A6B7A55BD79F8AB101C52DB29232260",
  friendly: "kf/8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15+KsQHFLbKSMiYIny",
};

/** Written bit by bit from the definition, independent of the tested code. */
function withChecksum(bytes: readonly number[]): string {
  const bits = [...bytes, 0, 0].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((at) => (byte >> at) & 1));
  let rest = 0;
  for (const bit of bits) {
    rest = rest * 2 + bit;
    if (rest >= 0x10000) rest = (rest - 0x10000) ^ 0x1021;
  }
  return Buffer.from([...bytes, rest >> 8, rest & 0xff]).toString("base64url");
}

function errorOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

const wrongAddresses: [name: string, text: string, message: RegExp][] = [
  ["the empty text", "", /0 characters/],
  ["47 characters", DEFINED.friendly.slice(1), /47 characters/],
  ["49 characters", `${DEFINED.friendly}A`, /49 characters/],
  ["a hash of 31 bytes", `0:${ZERO.slice(2)}`, /malformed raw form/],
  ["a hash of 33 bytes", `0:${ZERO}00`, /malformed raw form/],
  ["a hash with a letter beyond f", `0:${ZERO.slice(1)}g`, /malformed raw form/],
  ["no workchain before the colon", `:${ZERO}`, /malformed raw form/],
  ["a workchain with a plus", `+1:${ZERO}`, /malformed raw form/],
  ["a workchain with a fraction", `0.5:${ZERO}`, /malformed raw form/],
  ["a workchain in hexadecimal", `0x1:${ZERO}`, /malformed raw form/],
  ["two colons", `0:0:${ZERO}`, /malformed raw form/],
  ["a raw address without a workchain", ZERO, /64 characters;/],
  ["a workchain above 32 bits", `2147483648:${ZERO}`, /workchain 2147483648 does not fit 32 bits/],
  ["a workchain below 32 bits", `-2147483649:${ZERO}`, /workchain -2147483649 does not fit 32 bits/],
  ["a space before a raw address", ` 0:${ZERO}`, /malformed raw form/],
  ["a space within a raw address", `0: ${ZERO}`, /malformed raw form/],
  ["a line feed after a raw address", `0:${ZERO}\n`, /malformed raw form/],
  ["a space before a friendly address", ` ${DEFINED.friendly}`, /49 characters/],
  ["a line feed after a friendly address", `${DEFINED.friendly}\n`, /49 characters/],
  ["a space for the last of 48 characters", `${DEFINED.friendly.slice(0, -1)} `, /" " at 48/],
  ["padding for the last of 48 characters", `${DEFINED.friendly.slice(0, -1)}=`, /"=" at 48/],
  ["a character of another script", `${DEFINED.friendly.slice(0, 4)}\u0430${DEFINED.friendly.slice(5)}`, /"\u0430" at 5/],
  ["a full-width digit", `0:${ZERO.slice(1)}\uff10`, /malformed raw form/],
  ["a NUL", `${DEFINED.friendly.slice(0, -1)}\0`, /"\\u0000" at 48/],
  ["a megabyte of base64", "A".repeat(1_000_000), /1000000 characters/],
  ["a megabyte of colons", ":".repeat(1_000_000), /malformed raw form/],
  ["a megabyte of digits before a colon", `${"1".repeat(1_000_000)}:${ZERO}`, /malformed raw form/],
  ["a megabyte of digits after a colon", `0:${"1".repeat(1_000_000)}`, /malformed raw form/],
];

describe("parseAddress", () => {
  test("reads the friendly address that the definition of the form gives", () => {
    const { hash, ...rest } = parseAddress(DEFINED.friendly);
    expect(rest).toEqual({ workchain: -1, form: "friendly", bounceable: true, testOnly: true });
    expect(hash).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(hash).toString("hex").toUpperCase()).toBe(DEFINED.raw.slice(3));
  });

  test.for([
    [0x11, true, false],
    [0x51, false, false],
    [0x91, true, true],
    [0xd1, false, true],
  ] as const)("reads the flags %i", ([flags, bounceable, testOnly]) => {
    const text = withChecksum([flags, 0, ...new Uint8Array(32)]);
    expect(parseAddress(text)).toMatchObject({ bounceable, testOnly });
  });

  test("refuses all other flags and names them", () => {
    const known = [0x11, 0x51, 0x91, 0xd1];
    const others = Array.from({ length: 256 }, (_, flags) => flags).filter((flags) => !known.includes(flags));
    for (const flags of others) {
      const error = errorOf(() => parseAddress(withChecksum([flags, 0, ...new Uint8Array(32)])));
      expect(error).toBeInstanceOf(AddressError);
      expect(String(error)).toContain(`unknown flags 0x${flags.toString(16)};`);
    }
  });

  test("reads the byte of the workchain with its sign", () => {
    const read = (byte: number) => parseAddress(withChecksum([0x11, byte, ...new Uint8Array(32)])).workchain;
    expect([0, 1, 127, 128, 254, 255].map(read)).toEqual([0, 1, 127, -128, -2, -1]);
  });

  test("reads a raw workchain of 32 bits with its sign", () => {
    const read = (workchain: string) => parseAddress(`${workchain}:${ZERO}`).workchain;
    expect(["2147483647", "-2147483648", "0000000001", "-0"].map(read)).toEqual([2147483647, -2147483648, 1, 0]);
  });

  test("reads both alphabets, also mixed in one text", () => {
    const standard = DEFINED.friendly;
    const urlSafe = "kf_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYIny";
    const mixed = "kf_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15+KsQHFLbKSMiYIny";
    expect(parseAddress(urlSafe)).toEqual(parseAddress(standard));
    expect(parseAddress(mixed)).toEqual(parseAddress(standard));
  });

  test.for(wrongAddresses)("refuses %s", ([, text, message]) => {
    const error = errorOf(() => parseAddress(text));
    expect(error).toBeInstanceOf(AddressError);
    expect(error).toMatchObject({ name: "AddressError", message: expect.stringMatching(message) });
    expect(String(error)).toMatch(/accepted: .*64 hexadecimal digits.*48 characters/);
    expect(String(error).length).toBeLessThan(250);
  });

  test("refuses an address with any one character changed", () => {
    const text = DEFINED.friendly.replaceAll("+", "-").replaceAll("/", "_");
    const changed = Array.from(text, (right, at) =>
      Array.from(ALPHABET)
        .filter((wrong) => wrong !== right)
        .map((wrong) => text.slice(0, at) + wrong + text.slice(at + 1)),
    ).flat();
    expect(changed).toHaveLength(48 * 63);
    for (const wrong of changed) expect(String(errorOf(() => parseAddress(wrong)))).toMatch(/AddressError: .*wrong checksum/);
  });

  test("refuses an address with any two neighbours exchanged", () => {
    const text = DEFINED.friendly;
    const exchanged = Array.from({ length: 47 }, (_, at) => {
      return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
    }).filter((other) => other !== text);
    expect(exchanged.length).toBeGreaterThan(40);
    expect(exchanged.filter(isAddress)).toEqual([]);
  });

  test.for([undefined, null, 0, {}, [DEFINED.raw], new Uint8Array(36)])("refuses %s, which is not a string", (value) => {
    expect(() => parseAddress(value as string)).toThrow(AddressError);
  });

  test("gives each caller bytes of their own", () => {
    parseAddress(DEFINED.friendly).hash.fill(0);
    expect(toRawAddress(DEFINED.friendly)).toBe(DEFINED.raw);
    expect(parseAddress(DEFINED.friendly).hash.buffer.byteLength).toBe(32);
  });
});

test("isAddress accepts an address of either form and nothing else", () => {
  expect([DEFINED.raw, DEFINED.friendly].map(isAddress)).toEqual([true, true]);
  const others = [...wrongAddresses.map(([, text]) => text), undefined, null, 0, {}, [DEFINED.raw], Symbol("address")];
  expect(others.filter(isAddress)).toEqual([]);
});

describe("toRawAddress", () => {
  test("writes the workchain without needless zeros and signs", () => {
    expect(toRawAddress(`-0:${ZERO}`)).toBe(`0:${ZERO}`);
    expect(toRawAddress(`-01:${ZERO}`)).toBe(`-1:${ZERO}`);
    expect(toRawAddress({ workchain: -0, hash: new Uint8Array(32) })).toBe(`0:${ZERO}`);
  });

  test.for([
    ["a hash of 31 bytes", { workchain: 0, hash: new Uint8Array(31) }],
    ["a hash of 33 bytes", { workchain: 0, hash: new Uint8Array(33) }],
    ["a hash in hexadecimal", { workchain: 0, hash: ZERO }],
    ["no hash", { workchain: 0 }],
    ["a workchain with a fraction", { workchain: 0.5, hash: new Uint8Array(32) }],
    ["a workchain above 32 bits", { workchain: 2 ** 31, hash: new Uint8Array(32) }],
    ["a workchain that is no number", { workchain: Number.NaN, hash: new Uint8Array(32) }],
    ["a workchain that is a text", { workchain: "0", hash: new Uint8Array(32) }],
    ["null", null],
    ["undefined", undefined],
    ["the empty text", ""],
  ])("refuses %s", ([, value]) => {
    expect(() => toRawAddress(value as string)).toThrow(AddressError);
    expect(() => toFriendlyAddress(value as string)).toThrow(AddressError);
  });

  test.for<[value: unknown, shown: string]>([
    [undefined, "undefined"],
    [null, "null"],
    [5, "number"],
    [{}, "no workchain"],
  ])("says what %j is, which is neither a text nor an account", ([value, shown]) => {
    expect(() => toRawAddress(value as string)).toThrow(`Not an address: ${shown}; accepted: workchain:64 hexadecimal digits`);
  });

  test("writes each account of the contract's examples in the form of the contract", () => {
    const pairs = operations.flatMap(({ examples }) => examples).flatMap(({ response }) => accounts(response.body));
    expect(pairs.length).toBeGreaterThan(1);
    for (const { address, account } of pairs) expect(toRawAddress(address)).toBe(account);
  });
});

/** The objects of a response that give an account in both forms. */
function accounts(value: unknown): { address: string; account: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(accounts);
  const { address, account } = value as { address?: { account_address: string }; account?: string };
  return address !== undefined && account !== undefined ? [{ address: address.account_address, account }, ...below] : below;
}

describe("toFriendlyAddress", () => {
  test("writes the address that the definition of the form gives", () => {
    expect(toFriendlyAddress(DEFINED.raw, { testOnly: true, urlSafe: false })).toBe(DEFINED.friendly);
  });

  test("is bounceable, of the main network and URL-safe unless said otherwise", () => {
    const usual = "Ef_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYDJ4";
    expect(usual).toBe(withChecksum([0x11, 0xff, ...Buffer.from(DEFINED.raw.slice(3), "hex")]));
    expect(toFriendlyAddress(DEFINED.raw)).toBe(usual);
    expect(toFriendlyAddress(DEFINED.raw, {})).toBe(usual);
    expect(toFriendlyAddress(DEFINED.raw, { bounceable: undefined, testOnly: undefined, urlSafe: undefined })).toBe(usual);
  });

  test("takes its flags from the options alone", () => {
    expect(toFriendlyAddress(DEFINED.friendly)).toBe(toFriendlyAddress(DEFINED.raw));
    expect(toFriendlyAddress(parseAddress(DEFINED.friendly))).toBe(toFriendlyAddress(DEFINED.raw));
  });

  test("writes the addresses of its documentation", () => {
    expect(toFriendlyAddress(`0:${ZERO}`)).toBe("EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c");
    expect(toFriendlyAddress(`0:${ZERO}`, { bounceable: false })).toBe("UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ");
    expect(toFriendlyAddress(`-1:${THREES}`)).toBe("Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF");
  });

  test("refuses workchains beyond -128 and 127", () => {
    for (const workchain of [-129, 128, 255, 256, 2147483647]) {
      const error = errorOf(() => toFriendlyAddress(`${workchain}:${THREES}`));
      expect(error).toBeInstanceOf(AddressError);
      expect(String(error)).toContain(`workchain ${workchain} does not fit 8 bits`);
    }
  });
});

describe("sameAddress", () => {
  const forms = [
    DEFINED.raw,
    DEFINED.raw.toLowerCase(),
    DEFINED.friendly,
    toFriendlyAddress(DEFINED.raw, { bounceable: false }),
    parseAddress(DEFINED.friendly),
    parseAddress(DEFINED.raw),
  ];

  test("finds all forms and flags of one account the same", () => {
    for (const a of forms) for (const b of forms) expect(sameAddress(a, b)).toBe(true);
  });

  test("distinguishes accounts by hash and by workchain", () => {
    expect(sameAddress(`0:${ZERO}`, `0:${THREES}`)).toBe(false);
    expect(sameAddress(`0:${ZERO}`, `-1:${ZERO}`)).toBe(false);
  });

  test("finds the empty text equal to no address", () => {
    expect([sameAddress("", DEFINED.raw), sameAddress(DEFINED.raw, ""), sameAddress("", "")]).toEqual([false, false, false]);
  });

  test("refuses a text that is no address on either side", () => {
    expect(() => sameAddress(DEFINED.raw, "EQ")).toThrow(AddressError);
    expect(() => sameAddress("EQ", DEFINED.raw)).toThrow(AddressError);
  });
});
