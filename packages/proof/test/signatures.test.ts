import { concat, hex, sha256 } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { Validator } from "@chain-query/format/validators";
import { describe, expect, test } from "vitest";
import { countNeeded, signedBytes, writeCandidate } from "../src/signatures.ts";

const block: BlockId = {
  ...{ workchain: -1, shard: -(2n ** 63n), seqno: 9 },
  ...{ rootHash: new Uint8Array(32).fill(0xaa), fileHash: new Uint8Array(32).fill(0xbb) },
};
const sessionId = new Uint8Array(32).fill(0x11);

/** TL: numbers are little-endian 32-bit integers. */
const tl = (...parts: readonly (number | Uint8Array)[]) =>
  concat(...parts.map((part) => (typeof part === "number" ? new Uint8Array(Uint32Array.of(part).buffer) : part)));
const head = tl(-1, 0, 0x80000000, 9, block.rootHash, block.fileHash);
const parent = tl(1, new Uint8Array(32).fill(0xcc));
const NO_PARENT = 0x22cbcca9;
const collated = new Uint8Array(32);

test("an ordinary signature signs both hashes of the block", () => {
  expect(hex(signedBytes(block))).toBe(`706e0bc5${"aa".repeat(32)}${"bb".repeat(32)}`);
});

describe("a Simplex signature", () => {
  const candidates: readonly [what: string, candidate: Uint8Array][] = [
    ["a block without a parent", tl(0xe8f9bcdc, head, collated, NO_PARENT)],
    ["a block", tl(0xe8f9bcdc, head, collated, 0x1a4b9af1, 0xb691cd3f, parent)],
    ["no new block", tl(0x72b4d933, head, parent)],
    ["a written candidate", writeCandidate(block)],
  ];

  test.each(candidates)("signs a vote on the hash of a candidate with %s, in its session", (_, candidate) => {
    const vote = `05e1a740${"3fcd91b6"}66020000${hex(sha256(candidate))}`;
    const expected = `f83de3a8${"11".repeat(32)}2c${vote}000000`;
    expect(hex(signedBytes(block, { sessionId, slot: 614, candidate }))).toBe(expected);
  });

  const refused = (candidate: Uint8Array, kind = "proof", session = sessionId) =>
    expect(() => signedBytes(block, { sessionId: session, slot: 614, candidate })).toThrow(
      expect.objectContaining({ name: "UnprovenError", kind, isRetryable: false }),
    );

  test.each(candidates)("of %s is refused if a byte is missing, added or of another block", (_, candidate) => {
    for (let length = 0; length < candidate.length; length++) refused(candidate.subarray(0, length));
    refused(concat(candidate, new Uint8Array(4)));
    refused(candidate, "proof", new Uint8Array(31));
    for (let at = 4; at < 84; at++) refused(candidate.with(at, (candidate[at] as number) ^ 1));
  });

  test("of another form is unsupported", () => {
    refused(tl(0x12345678, head), "unsupported");
    refused(tl(0xe8f9bcdc, head, collated, 0x12345678), "unsupported");
    refused(tl(0xe8f9bcdc, head, collated, 0x1a4b9af1, 0x12345678, parent), "unsupported");
  });
});

test("as many signatures are needed as have more than two thirds of the weight", () => {
  const validator = (weight: bigint): Validator => ({ publicKey: sessionId, weight, adnlAddress: sessionId });
  const validators = [1n, 2n, 3n, 2n ** 60n, 2n ** 61n].map(validator);
  const group = { catchainSeqno: 1, listHash: 1, validators };
  expect(countNeeded(block, group, validators.toReversed())).toBe(2);
  expect(countNeeded(block, group, validators)).toBe(5);
  // Exactly two thirds of 3 × 2^60 + 6 is not enough.
  const exact = { ...group, validators: [2n ** 61n + 4n, 2n ** 60n + 2n].map(validator) };
  expect(() => countNeeded(block, exact, exact.validators.slice(0, 1))).toThrow("more than two thirds of the weight");
  expect(() => countNeeded(block, group, [])).toThrow("got 0 of");
});
