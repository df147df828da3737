import type { BlockId } from "@chain-query/format/identifiers";
import { expect, test } from "vitest";
import { TlWriter } from "../../src/wire/tl/bytes.ts";
import { readCandidate, signedBlock, signedVote } from "../../src/wire/tl/signed.ts";

const block: BlockId = {
  ...{ workchain: -1, shard: -(2n ** 63n), seqno: 9 },
  ...{ rootHash: new Uint8Array(32).fill(0xaa), fileHash: new Uint8Array(32).fill(0xbb) },
};
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** TL `consensus.candidateHashData…`, without its constructor id. */
const head = () => new TlWriter().int(-1).long(block.shard).int(9).raw(block.rootHash).raw(block.fileHash).finish();
const parent = new TlWriter().int(1).raw(Buffer.alloc(32, 0xcc)).finish();
const candidate = (id: number, ...rest: readonly Uint8Array[]) => Buffer.concat([new TlWriter().uint(id).finish(), ...rest]);

test("an ordinary signature signs both hashes of the block", () => {
  expect(hex(signedBlock(block))).toBe(`706e0bc5${"aa".repeat(32)}${"bb".repeat(32)}`);
});

test("a Simplex signature signs a vote on the hash of a candidate, in its session", () => {
  const sessionId = Buffer.alloc(32, 0x11);
  const sha256OfNoBytes = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const vote = `05e1a740${"3fcd91b6"}66020000${sha256OfNoBytes}`;
  const expected = `f83de3a8${"11".repeat(32)}2c${vote}000000`;
  expect(hex(signedVote({ sessionId, slot: 614, candidate: new Uint8Array() }))).toBe(expected);
});

test.each([
  ["a block without a parent", candidate(0xe8f9bcdc, head(), Buffer.alloc(32), candidate(0x22cbcca9))],
  ["a block", candidate(0xe8f9bcdc, head(), Buffer.alloc(32), candidate(0x1a4b9af1, candidate(0xb691cd3f, parent)))],
  ["no new block", candidate(0x72b4d933, head(), parent)],
])("a candidate with %s names its block", (_, bytes) => {
  expect(readCandidate(bytes)).toEqual(block);
  expect(() => readCandidate(bytes.subarray(1))).toThrow(expect.objectContaining({ name: "LiteError" }));
  expect(() => readCandidate(bytes.subarray(0, -1))).toThrow(expect.objectContaining({ kind: "protocol" }));
  expect(() => readCandidate(Buffer.concat([bytes, Buffer.alloc(4)]))).toThrow("4 bytes follow the end");
});

test("a candidate of another form is unsupported", () => {
  const unsupported = expect.objectContaining({ kind: "unsupported", isRetryable: false });
  expect(() => readCandidate(candidate(0x12345678, head()))).toThrow(unsupported);
  expect(() => readCandidate(candidate(0xe8f9bcdc, head(), Buffer.alloc(32), candidate(0x12345678)))).toThrow(unsupported);
});
