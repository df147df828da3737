import { Cell as CoreCell, convertToMerkleProof } from "@ton/core";
import { describe, expect, test } from "vitest";
import { readBoc } from "../../src/cells/boc-reader.ts";
import { writeBoc } from "../../src/cells/boc-writer.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { merkleUpdate, prunedBranch } from "../../src/cells/exotic.ts";
import { toCoreCell } from "../core-cell.ts";

const before = new CellBuilder().uint(1, 9).ref(new CellBuilder().uint(2, 32).cell()).cell();
const after = new CellBuilder().uint(3, 9).cell();

describe("merkleUpdate", () => {
  test("stands for both trees at the level below it", () => {
    const update = merkleUpdate(before, after);
    const [core] = CoreCell.fromBoc(Buffer.from(writeBoc(update)));
    expect(core?.hash().toString("hex")).toBe(Buffer.from(update.hash).toString("hex"));
    expect(core?.level()).toBe(0);
    expect(update.refs.map((ref) => Buffer.from(ref.hashAt(0)))).toEqual([Buffer.from(before.hash), Buffer.from(after.hash)]);
    expect(update.refs.map((ref) => ref.depthAt(0))).toEqual([1, 0]);
    expect(update.levelMask).toBe(0);
  });

  test("is refused with other hashes than those of what it refers to", () => {
    const bytes = Buffer.from(writeBoc(merkleUpdate(before, after)));
    const wrong = Buffer.from(bytes.subarray(0, bytes.length - 4));
    wrong[4] = (wrong[4] as number) & ~0x40;
    const place = wrong.indexOf(Buffer.from(before.hash));
    wrong[place] = (wrong[place] as number) ^ 1;
    expect(() => readBoc(wrong)).toThrow("a Merkle cell does not have the hash of what it refers to");
  });
});

describe("prunedBranch", () => {
  test("takes the place of a branch in a proof, without changing its root's hash", () => {
    const pruned = prunedBranch(before.refs[0] ?? after);
    const short = new CellBuilder().uint(1, 9).ref(pruned).cell();
    expect(short.levelMask).toBe(1);
    expect(Buffer.from(short.hashAt(0))).toEqual(Buffer.from(before.hash));
    expect(short.depthAt(0)).toBe(before.depth);
    expect(Buffer.from(short.hash)).not.toEqual(Buffer.from(before.hash));
    const proof = readBoc(convertToMerkleProof(toCoreCell(short)).toBoc());
    expect(proof.type).toBe("proof");
    expect(Buffer.from(proof.refs[0]?.hashAt(0) ?? [])).toEqual(Buffer.from(before.hash));
  });
});
