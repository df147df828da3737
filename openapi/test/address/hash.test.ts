import { describe, expect, test } from "vitest";
import { AddressError, parseHash, sameHash, toBase64Hash, toHexHash } from "../../src/address.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ZERO = "0".repeat(64);

const HASH = {
  bytes: Uint8Array.from({ length: 32 }, (_, at) => 0xfb ^ (at * 7)),
  hex: "",
  base64: "",
  base64url: "",
};
HASH.hex = Buffer.from(HASH.bytes).toString("hex");
HASH.base64 = Buffer.from(HASH.bytes).toString("base64");
HASH.base64url = Buffer.from(HASH.bytes).toString("base64url");
const hashForms = [
  ["hexadecimal", HASH.hex],
  ["hexadecimal in capitals", HASH.hex.toUpperCase()],
  ["base64", HASH.base64],
  ["base64 without padding", HASH.base64.slice(0, -1)],
  ["base64url", HASH.base64url],
  ["base64url with padding", `${HASH.base64url}=`],
] as const;

function errorOf(text: unknown): unknown {
  try {
    parseHash(text as string);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("parseHash", () => {
  test.for(hashForms)("reads %s", ([, text]) => {
    expect(parseHash(text)).toEqual(HASH.bytes);
  });

  test.for<[name: string, text: unknown, message: RegExp]>([
    ["the empty text", "", /0 characters/],
    ["63 digits", HASH.hex.slice(1), /63 characters/],
    ["65 digits", `${HASH.hex}0`, /65 characters/],
    ["66 characters with 0x", `0x${HASH.hex}`, /66 characters/],
    ["64 characters of base64", "z".repeat(64), /64 characters/],
    ["31 bytes in base64", Buffer.alloc(31).toString("base64"), /44 characters/],
    ["31 bytes in base64url", Buffer.alloc(31).toString("base64url"), /42 characters/],
    ["33 bytes in base64", Buffer.alloc(33).toString("base64"), /44 characters/],
    ["spare bits in 43 characters", `${"A".repeat(42)}B`, /43 characters/],
    ["spare bits in 44 characters", `${"A".repeat(42)}B=`, /44 characters/],
    ["padding too early", `${"A".repeat(42)}==`, /44 characters/],
    ["a space within", `${"A".repeat(20)} ${"A".repeat(22)}=`, /" " at 21/],
    ["a space around", ` ${HASH.base64url}`, /" " at 1;/],
    ["a line feed after", `${HASH.base64}\n`, /45 characters/],
    ["a line feed in place of the padding", `${HASH.base64url}\n`, /"\\n" at 44/],
    ["a megabyte", "A".repeat(1_000_000), /1000000 characters/],
    ["undefined", undefined, /undefined/],
    ["null", null, /null/],
    ["a list of one text", [HASH.hex], /object/],
  ])("refuses %s", ([, text, message]) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(AddressError);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    expect(String(error)).toMatch(/accepted: 64 hexadecimal digits.*44 characters/);
    expect(String(error).length).toBeLessThan(250);
  });

  test("reads a last character of base64 only if its spare bits are zero", () => {
    const endings = Array.from(ALPHABET).filter((last) => errorOf("A".repeat(42) + last) === undefined);
    expect(endings.join("")).toBe("AEIMQUYcgkosw048");
  });
});

describe("toBase64Hash, toHexHash and sameHash", () => {
  test.for([...hashForms, ["bytes", HASH.bytes], ["a buffer", Buffer.from(HASH.bytes)]] as const)("take %s", ([, hash]) => {
    expect(toBase64Hash(hash)).toBe(HASH.base64);
    expect(toHexHash(hash)).toBe(HASH.hex);
    expect(sameHash(hash, HASH.hex)).toBe(true);
    expect(sameHash(hash, ZERO)).toBe(false);
  });

  test.for([undefined, null, 7, "", new Uint8Array(31), new Uint8Array(33)])("refuse %s", (hash) => {
    for (const write of [toBase64Hash, toHexHash]) expect(() => write(hash as string)).toThrow(AddressError);
    expect(() => sameHash(hash as string, HASH.hex)).toThrow(AddressError);
    expect(() => sameHash(HASH.hex, hash as string)).toThrow(AddressError);
  });
});
