/** Every bag of cells in the folders of recorded data: proofs and blocks pass the checks, and with another bit they do not, or are the same. */
import { readBlockHeader } from "@chain-query/format/blocks";
import { Cell, CellReader, hex, readBocRoots, sha256 } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { openState } from "@chain-query/proof/blocks";
import { bagsIn, NO_DATA, recordedFiles } from "@chain-query/testing/recorded";
import { describe, expect, test } from "vitest";
import { checkBlockData, checkBlockHeader } from "../../../src/proof/block.ts";
import { checked, readProofs } from "../../../src/proof/evidence.ts";
import { LiteError } from "../../../src/wire/lite-error.ts";

/** What is in a bag, and how it is checked. */
interface Evidence {
  readonly kind: string;
  /** The block that the bag is about, from its own header; file hashes are not in proofs. */
  readonly id: BlockId;
  check(id: BlockId, bytes: Uint8Array): unknown;
}

/** Bags that show nothing without another one: `recorded-proofs.test.ts` follows them from tree to tree. */
const ALONE: readonly string[] = [
  "an account, whose hash is in another bag",
  "a transaction, whose hash is in a block",
  "a tree that is not in a Merkle proof",
  "a state without the header that has its hash",
  "a block without its header",
  "a proof of a proof, which no lite server sends",
];

/** Larger blocks take long to hash again and again. */
const LARGEST = 150_000;
const bags = recordedFiles()
  .filter(({ bytes }) => bytes.length <= LARGEST)
  .flatMap((file) => bagsIn(file).map((bytes, place) => ({ name: `${file.file} ${place}`, bytes, found: evidenceIn(bytes) })));

function evidenceIn(bytes: Buffer): Evidence | string {
  const [first, second] = readBocRoots(bytes) as [Cell, Cell | undefined];
  const isProof = first.type === "proof";
  const tree = isProof ? (first.refs[0] as Cell) : first;
  if (tree.type !== "ordinary") return "a proof of a proof, which no lite server sends";
  const tag = new CellReader(tree).uint(32);
  if (tag >>> 28 === 7) return "a transaction, whose hash is in a block";
  if (tag >>> 29 === 6) return "an account, whose hash is in another bag";
  if (!isProof && tree.levelMask > 0) return "a tree that is not in a Merkle proof";
  if (tag === 0x9023afe2) return "a state without the header that has its hash";
  if (tree.refs[0]?.type === "pruned") return "a block without its header";
  const { workchain, shard, seqno } = readBlockHeader(tree);
  const id = { workchain, shard, seqno, rootHash: tree.hashAt(0), fileHash: isProof ? new Uint8Array(32) : sha256(bytes) };
  if (!isProof) return { kind: "a block", id, check: (at, data) => checkBlockData(at, { id: at, data }) };
  if (second)
    return { kind: "a state", id, check: (at, proof) => checked("a state", () => openState(at, readProofs(proof, 2))) };
  return { kind: "a header", id, check: (at, headerProof) => checkBlockHeader(at, { id: at, mode: 0, headerProof }) };
}

describe("bags in the folders of recorded data", () => {
  test("are all checked, or show nothing without another one", ({ skip }) => {
    skip(bags.length === 0, NO_DATA);
    const reasons = bags.flatMap(({ found }) => (typeof found === "string" ? [found] : []));
    expect([...new Set(reasons)].sort()).toEqual([...ALONE].sort());
  });

  const evidence = bags.flatMap(({ name, bytes, found }) => (typeof found === "string" ? [] : [{ name, bytes, ...found }]));
  test.each(evidence)("$name: $kind is accepted, but not as another one, nor with another bit", ({ bytes, id, check }) => {
    const truth = text(check(id, bytes));
    const otherHash = Uint8Array.from(id.rootHash, (byte, i) => (i === 0 ? byte ^ 1 : byte));
    expect(() => check({ ...id, rootHash: otherHash }, bytes)).toThrow(LiteError);
    const step = Math.ceil((bytes.length * 8) / 100);
    for (let bit = 0; bit < bytes.length * 8; bit += step) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (0x80 >> (bit & 7));
      const refused = refusalOf(() => expect(text(check(id, changed)), `bit ${bit}`).toBe(truth));
      if (refused) expect(refused).toMatchObject({ kind: "proof", message: expect.stringMatching(/^.{10,500}$/) });
    }
  });

  const proofs = evidence.filter(({ kind }) => kind !== "a block");
  test.each(proofs)("$name: $kind is not accepted for another number", ({ bytes, id, check }) => {
    expect(() => check({ ...id, seqno: id.seqno + 1 }, bytes)).toThrow(/^.*the header of .* is one of /);
  });
});

function refusalOf(read: () => void): LiteError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof LiteError) return error;
    throw error;
  }
}

/** The same text for the same result, whose cells may show other branches. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (part instanceof Cell) return hex(part.hashAt(0));
    return typeof part === "bigint" ? `${part}` : part;
  });
}
