import { Address } from "@ton/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AddressError,
  isAddress,
  parseAddress,
  parseHash,
  sameAddress,
  sameHash,
  toBase64Hash,
  toFriendlyAddress,
  toHexHash,
  toRawAddress,
} from "../../src/address.ts";

const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const signedBytes = fc.integer({ min: -128, max: 127 });
const options = fc.record({ bounceable: fc.boolean(), testOnly: fc.boolean(), urlSafe: fc.boolean() });
const friendlyTexts = fc
  .tuple(signedBytes, hashes, options)
  .map(([workchain, hash, how]) => toFriendlyAddress({ workchain, hash }, how));
const rawTexts = fc.tuple(fc.integer(), hashes).map(([workchain, hash]) => toRawAddress({ workchain, hash }));

/** A text with one character taken out, put in or replaced. */
function almost(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      texts,
      fc.nat(80),
      fc.constantFrom(0, 1),
      fc.constantFrom("", "A", "0", "-", "+", "_", "/", "=", ":", " ", "\n", "é"),
    )
    .map(([text, at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed));
}

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.stringMatching(/^[A-Za-z0-9+/_-]{47,49}$/),
  fc.stringMatching(/^[EUk0][Qf][A-Za-z0-9+/_-]{46}$/),
  fc.stringMatching(/^-?[0-9]{1,11}:[0-9A-Fa-f]{63,65}$/),
  fc.stringMatching(/^[A-Za-z0-9+/_-]{42,43}=?$/),
  fc.stringMatching(/^[0-9A-Fa-f]{63,65}$/),
  almost(friendlyTexts),
  almost(rawTexts),
);

const urlSafe = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_");

function parsed<T>(parse: (text: string) => T, text: string): T | undefined {
  try {
    return parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(AddressError);
    return undefined;
  }
}

describe("an address", () => {
  // @ton/core reads the byte of a friendly workchain without its sign, except for -1: below that the two differ.
  const shared = fc.oneof(fc.constantFrom(-1, 0), fc.integer({ min: -1, max: 127 }));

  test("is read and written like by @ton/core", () => {
    fc.assert(
      fc.property(shared, hashes, options, (workchain, hash, how) => {
        const theirs = new Address(workchain, Buffer.from(hash));
        const ours = { workchain, hash };

        const raw = toRawAddress(ours);
        if (raw.toLowerCase() !== theirs.toRawString() || !Address.parse(raw).equals(theirs)) return false;
        if (toRawAddress(theirs.toRawString()) !== raw) return false;

        const text = theirs.toString(how);
        const ourReading = parseAddress(text);
        const theirReading = Address.parseFriendly(toFriendlyAddress(ours, how));
        return (
          toFriendlyAddress(ours, how) === text &&
          toRawAddress(ourReading) === raw &&
          ourReading.bounceable === how.bounceable &&
          ourReading.testOnly === how.testOnly &&
          theirReading.address.equals(theirs) &&
          theirReading.isBounceable === how.bounceable &&
          theirReading.isTestOnly === how.testOnly
        );
      }),
      { numRuns: 20_000, seed: 1 },
    );
  });

  test("survives the way through the friendly form", () => {
    fc.assert(
      fc.property(signedBytes, hashes, options, (workchain, hash, how) => {
        const text = toFriendlyAddress({ workchain, hash }, how);
        const { bounceable, testOnly } = how;
        expect(parseAddress(text)).toEqual({ workchain, hash, form: "friendly", bounceable, testOnly });
        expect(text).toMatch(how.urlSafe ? /^[\w-]{48}$/ : /^[A-Za-z0-9+/]{48}$/);
        expect(sameAddress(text, toRawAddress(text))).toBe(true);
      }),
      { seed: 1 },
    );
  });

  test("survives the way through the raw form", () => {
    fc.assert(
      fc.property(fc.integer(), hashes, (workchain, hash) => {
        const text = toRawAddress({ workchain, hash });
        expect(parseAddress(text)).toEqual({ workchain, hash, form: "raw" });
        expect(text).toMatch(/^-?\d{1,10}:[0-9A-F]{64}$/);
      }),
      { seed: 1 },
    );
  });

  test("is either refused with an AddressError or read so that it can be written again", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const address = parsed(parseAddress, text);
        expect(isAddress(text)).toBe(address !== undefined);
        if (address?.form === "friendly") expect(toFriendlyAddress(address, address)).toBe(urlSafe(text));
        if (address?.form === "raw") {
          const [workchain, hash = ""] = text.split(":");
          expect(toRawAddress(address)).toBe(`${BigInt(workchain ?? "")}:${hash.toUpperCase()}`);
        }
      }),
      { numRuns: 5_000, seed: 1 },
    );
  });
});

describe("a hash", () => {
  test("survives the way through all its forms", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const buffer = Buffer.from(hash);
        expect(toHexHash(hash)).toBe(buffer.toString("hex"));
        expect(toBase64Hash(hash)).toBe(buffer.toString("base64"));
        for (const text of [toHexHash(hash), toBase64Hash(hash), buffer.toString("base64url")]) {
          expect(parseHash(text)).toEqual(hash);
          expect(sameHash(text, hash)).toBe(true);
        }
      }),
      { seed: 1 },
    );
  });

  test("is either refused with an AddressError or read so that it can be written again", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const hash = parsed(parseHash, text);
        if (hash === undefined) return;
        const written = text.length === 64 ? toHexHash(hash) : urlSafe(toBase64Hash(hash)).replace("=", "");
        expect(written).toBe(text.length === 64 ? text.toLowerCase() : urlSafe(text).replace("=", ""));
      }),
      { numRuns: 5_000, seed: 1 },
    );
  });
});
