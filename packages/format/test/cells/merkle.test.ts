import { applyUpdate } from "@chain-query/testing/block-walker/update";
import { Cell as CoreCell, convertToMerkleProof } from "@ton/core";
import { describe, expect, test } from "vitest";
import { readBoc, writeBoc } from "../../src/cells/bag-of-cells.ts";
import { hex } from "../../src/cells/bytes.ts";
import { Cell } from "../../src/cells/cell.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { CellError } from "../../src/cells/cell-reader.ts";
import { checkExotic, createMerkleUpdate, readMerkleUpdate, replacePruned } from "../../src/cells/merkle.ts";
import { createPrunedBranch } from "../../src/cells/pruned-branch.ts";
import { toCoreCell } from "../core-cell.ts";

const leaf = new CellBuilder().bytes(new Uint8Array(60)).cell();

type Shape = string | Shape[];

/** A tree as lists of its references, with the name of each cell without references. */
function shapeOf(tree: Cell | (Cell | Cell[])[]): Shape {
  if (Array.isArray(tree)) return tree.map(shapeOf);
  return tree.refs.length === 0 ? `${tree.type} ${hex(tree.hashAt(0))}` : tree.refs.map(shapeOf);
}

const before = new CellBuilder().uint(1, 9).ref(new CellBuilder().uint(2, 32).cell()).cell();
const after = new CellBuilder().uint(3, 9).cell();

describe("createMerkleUpdate", () => {
  test("has the hashes and depths of both trees at level 0", () => {
    const update = createMerkleUpdate(before, after);
    const [core] = CoreCell.fromBoc(Buffer.from(writeBoc(update)));
    expect(core?.hash().toString("hex")).toBe(Buffer.from(update.hash).toString("hex"));
    expect(core?.level()).toBe(0);
    expect(update.refs.map((ref) => Buffer.from(ref.hashAt(0)))).toEqual([Buffer.from(before.hash), Buffer.from(after.hash)]);
    expect(update.refs.map((ref) => ref.depthAt(0))).toEqual([1, 0]);
    expect(update.levelMask).toBe(0);
  });

  test("has the cells of the new tree that the old one does not have, and the paths to the others in the old one", () => {
    const [same, gone, fresh] = [1, 2, 3].map((n) => new CellBuilder().uint(n, 40).ref(leaf).cell()) as [Cell, Cell, Cell];
    const old = new CellBuilder().ref(new CellBuilder().ref(same).cell()).ref(gone).ref(before).cell();
    const next = new CellBuilder().ref(fresh).ref(new CellBuilder().uint(0, 8).ref(same).ref(leaf).cell()).cell();
    const [oldTree, newTree] = createMerkleUpdate(old, next).refs as [Cell, Cell];
    expect(shapeOf(newTree)).toEqual([fresh, [createPrunedBranch(same), leaf]].map(shapeOf));
    expect(shapeOf(oldTree)).toEqual(
      [[createPrunedBranch(same)], createPrunedBranch(gone), createPrunedBranch(before)].map(shapeOf),
    );
    const update = createMerkleUpdate(old, next);
    expect(applyUpdate(toCoreCell(update), toCoreCell(old)).hash().toString("hex")).toBe(hex(next.hash));
    expect(createMerkleUpdate(old, old).refs.map(({ type }) => type)).toEqual(["pruned", "pruned"]);
  });

  test("is rejected with another hash than that of its reference", () => {
    const bytes = Buffer.from(writeBoc(createMerkleUpdate(before, after)));
    const wrong = Buffer.from(bytes.subarray(0, bytes.length - 4));
    wrong[4] = (wrong[4] as number) & ~0x40;
    const place = wrong.indexOf(Buffer.from(before.hash));
    wrong[place] = (wrong[place] as number) ^ 1;
    expect(() => readBoc(wrong)).toThrow("a Merkle cell has another hash or depth than the cell that it refers to");
  });
});

test("readMerkleUpdate reads both hashes, and no other cell", () => {
  const { oldHash, newHash } = readMerkleUpdate(createMerkleUpdate(before, after));
  expect([oldHash, newHash]).toEqual([before.hash, after.hash]);
  const cell = new CellBuilder().bytes(createMerkleUpdate(before, after).bytes).cell();
  expect(() => readMerkleUpdate(cell)).toThrow(new CellError("a cell must be a Merkle update, got type ordinary"));
});

describe("createPrunedBranch", () => {
  test("replaces a branch in a proof without a change of the root's hash at level 0", () => {
    const pruned = createPrunedBranch(before.refs[0] ?? after);
    const short = new CellBuilder().uint(1, 9).ref(pruned).cell();
    expect(short.levelMask).toBe(1);
    expect(Buffer.from(short.hashAt(0))).toEqual(Buffer.from(before.hash));
    expect(short.depthAt(0)).toBe(before.depth);
    expect(Buffer.from(short.hash)).not.toEqual(Buffer.from(before.hash));
    const proof = readBoc(convertToMerkleProof(toCoreCell(short)).toBoc());
    expect(proof.type).toBe("proof");
    expect(Buffer.from(proof.refs[0]?.hashAt(0) ?? [])).toEqual(Buffer.from(before.hash));
  });

  test("rejects a branch that has the level itself or a higher one, and a fourth level", () => {
    const [one, two] = [1, 2].map((level) => new CellBuilder().ref(createPrunedBranch(after, level)).cell()) as [Cell, Cell];
    expect(createPrunedBranch(one, 2).levelMask).toBe(3);
    expect(createPrunedBranch(two, 3).levelMask).toBe(6);
    for (const [branch, level] of [
      [one, 1],
      [two, 1],
      [two, 2],
      [after, 4],
    ] as const) {
      expect(() => createPrunedBranch(branch, level)).toThrow(`cannot be pruned at level ${level}`);
    }
  });
});

test("a pruned branch is accepted only with a hash and a depth for each of its levels", () => {
  for (let mask = 0; mask < 256; mask++) {
    const levels = mask < 8 ? [0, 1, 1, 2, 1, 2, 2, 3][mask] : 0;
    const accepted = [0, 1, 2, 3].filter((count) => {
      const bytes = new Uint8Array(2 + 34 * count);
      bytes.set([1, mask]);
      try {
        checkExotic(new Cell(bytes, bytes.length * 8, [], "pruned"));
        return true;
      } catch {
        return false;
      }
    });
    expect(accepted, `${mask}`).toEqual(levels ? [levels] : []);
  }
});

describe("replacePruned", () => {
  const left = before.refs[0] ?? after;
  const short = new CellBuilder().ref(createPrunedBranch(left)).ref(createPrunedBranch(after)).cell();

  test("puts cells in place of the branches with their hashes, and leaves the others", () => {
    const some = replacePruned(short, (hash) => (Buffer.compare(hash, left.hash) === 0 ? left : undefined));
    expect(some.refs).toEqual([left, short.refs[1]]);
    expect(Buffer.from(some.hashAt(0))).toEqual(Buffer.from(short.hashAt(0)));
    const all = replacePruned(some, () => after);
    expect(all.levelMask).toBe(0);
    expect(Buffer.from(all.hash)).toEqual(Buffer.from(new CellBuilder().ref(left).ref(after).cell().hash));
  });

  test("is the cell itself if nothing is replaced", () => {
    expect(replacePruned(short, () => undefined)).toBe(short);
    expect(replacePruned(before, () => after)).toBe(before);
  });
});
