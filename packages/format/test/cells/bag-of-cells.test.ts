import { Cell as CoreCell } from "@ton/core";
import { type Arbitrary, array, assert as check, integer, nat, property, record, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { readBoc, readBocRoots, writeBoc, writeBocRoots, writePooledBoc } from "../../src/cells/bag-of-cells.ts";
import { crc32c } from "../../src/cells/bytes.ts";
import type { Cell } from "../../src/cells/cell.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { CellError } from "../../src/cells/cell-reader.ts";
import { createMerkleUpdate } from "../../src/cells/merkle.ts";
import { createPrunedBranch } from "../../src/cells/pruned-branch.ts";
import { fromCoreCell, toCoreCell } from "../core-cell.ts";

const LEVELS = [0, 1, 2, 3];

const specification = record({
  bytes: uint8Array({ maxLength: 127 }),
  unused: integer({ min: 0, max: 7 }),
  refs: array(nat(), { maxLength: 4 }),
});

/** Graphs of cells: each refers to some of those before it, so many occur more than once. */
const cells: Arbitrary<Cell> = array(specification, { minLength: 1, maxLength: 30 }).map((specifications) => {
  const made: Cell[] = [];
  for (const { bytes, unused, refs } of specifications) {
    const builder = new CellBuilder().bitsOf(bytes, 0, Math.max(0, bytes.length * 8 - unused));
    for (const ref of made.length > 0 ? refs : []) builder.ref(made[ref % made.length] as Cell);
    made.push(builder.cell());
  }
  return made[made.length - 1] as Cell;
});

/** The contents of a cell and of all cells below it. */
function shown(cell: Cell): unknown {
  return { type: cell.type, bits: cell.bitLength, bytes: Buffer.from(cell.bytes).toString("hex"), refs: cell.refs.map(shown) };
}

function hashes(cell: Cell | CoreCell): string[] {
  return cell instanceof CoreCell
    ? LEVELS.map((level) => `${cell.hash(level).toString("hex")} ${cell.depth(level)}`)
    : LEVELS.map((level) => `${Buffer.from(cell.hashAt(level)).toString("hex")} ${cell.depthAt(level)}`);
}

describe("readBoc and writeBoc", () => {
  test("read back any tree, from the bytes that @ton/core writes", () => {
    check(
      property(cells, (cell) => {
        const bytes = writeBoc(cell);
        expect(shown(readBoc(bytes))).toEqual(shown(cell));
        const core = toCoreCell(cell);
        expect(hashes(cell)).toEqual(hashes(core));
        expect(Buffer.from(bytes)).toEqual(core.toBoc());
        expect(Buffer.from(writePooledBoc(cell))).toEqual(core.toBoc());
        expect(shown(fromCoreCell(core))).toEqual(shown(cell));
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  test("write a repeated cell once", () => {
    let cell = new CellBuilder().cell();
    for (let i = 0; i < 60; i++) cell = new CellBuilder().ref(cell).ref(new CellBuilder().append(cell).cell()).cell();
    expect(writeBoc(cell).length).toBeLessThan(400);
    expect(readBoc(writeBoc(cell)).depth).toBe(60);
  });

  test("keep cells apart whose hashes begin with the same bits", () => {
    const byBeginning = new Map<string, Cell>();
    const pairs: Cell[] = [];
    for (let i = 0; pairs.length === 0; i++) {
      const cell = new CellBuilder().uint(i, 32).cell();
      const beginning = Buffer.from(cell.hash.subarray(0, 4)).toString("latin1");
      const other = byBeginning.get(beginning);
      if (other) pairs.push(new CellBuilder().ref(other).ref(cell).cell());
      byBeginning.set(beginning, cell);
    }
    expect(pairs.map((pair) => shown(readBoc(writeBoc(pair))))).toEqual(pairs.map(shown));
  });

  test("write many cells, whose indices need two bytes", () => {
    const leaves = Array.from({ length: 300 }, (_, i) => new CellBuilder().uint(i, 16).cell());
    const root = leaves.reduce((chain, leaf) => new CellBuilder().ref(leaf).ref(chain).cell());
    const [core] = CoreCell.fromBoc(Buffer.from(writeBoc(root)));
    expect(core?.hash().toString("hex")).toBe(Buffer.from(readBoc(writeBoc(root)).hash).toString("hex"));
  });
});

/** A root with the bits 101 that refers to a cell with abcd, written by hand. */
const ROOT = "0101b001";
const LEAF = "0004abcd";

function bag(...parts: readonly string[]): Uint8Array {
  return Buffer.from(parts.join(""), "hex");
}

function summed(...parts: readonly string[]): Uint8Array {
  const bytes = bag(...parts);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32c(bytes));
  return Buffer.concat([bytes, sum]);
}

describe("writeBocRoots", () => {
  test("writes several roots that @ton/core and readBocRoots read, with shared cells once", () => {
    check(
      property(array(cells, { minLength: 1, maxLength: 4 }), (trees) => {
        // Every other root is part of the tree before it.
        const roots = trees.flatMap((tree) => [tree, tree.refs[0] ?? tree]);
        const bytes = writeBocRoots(roots);
        expect(readBocRoots(bytes).map(shown)).toEqual(roots.map(shown));
        expect(CoreCell.fromBoc(Buffer.from(bytes)).map(hashes)).toEqual(roots.map(hashes));
        const tree = new CellBuilder().ref(trees[0] as Cell).cell();
        expect(writeBocRoots([tree, trees[0] as Cell]).length).toBe(writeBoc(tree).length + 1);
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  test("writes a Merkle proof and a Merkle update side by side, as a lite server does", () => {
    const tree = new CellBuilder().uint(1, 9).ref(new CellBuilder().uint(2, 32).cell()).cell();
    const roots = [createMerkleUpdate(tree, tree.refs[0] as Cell), new CellBuilder().ref(createPrunedBranch(tree)).cell()];
    expect(readBocRoots(writeBocRoots(roots)).map(hashes)).toEqual(roots.map(hashes));
  });

  test("writes the same root twice", () => {
    const leaf = new CellBuilder().uint(7, 8).cell();
    expect(readBocRoots(writeBocRoots([leaf, leaf, leaf])).map(shown)).toEqual([leaf, leaf, leaf].map(shown));
  });

  test("rejects an empty list of roots", () => {
    expect(() => writeBocRoots([])).toThrow(new RangeError("a bag of cells needs at least one root"));
  });
});

describe("readBocRoots", () => {
  const tree = { type: "ordinary", bits: 16, bytes: "abcd", refs: [] };
  const root = { type: "ordinary", bits: 3, bytes: "b0", refs: [tree] };

  test("reads every form of a bag", () => {
    const forms = {
      plain: bag("b5ee9c72", "01", "01", "020100", "08", "00", ROOT, LEAF),
      summed: summed("b5ee9c72", "41", "01", "020100", "08", "00", ROOT, LEAF),
      indexed: bag("b5ee9c72", "81", "01", "020100", "08", "00", "0408", ROOT, LEAF),
      both: summed("b5ee9c72", "c1", "01", "020100", "08", "00", "0408", ROOT, LEAF),
      older: bag("68ff65f3", "01", "01", "020100", "08", "0408", ROOT, LEAF),
      olderSummed: summed("acc3a728", "01", "01", "020100", "08", "0408", ROOT, LEAF),
      wide: bag("b5ee9c72", "02", "03", "000200010000", "000009", "0000", "0101b0", "0001", LEAF),
    };
    for (const bytes of Object.values(forms)) expect(readBocRoots(bytes).map(shown)).toEqual([root]);
  });

  test("reads cells with stored hashes", () => {
    const hash = Buffer.from(readBoc(bag("b5ee9c72", "01", "01", "010100", "04", "00", LEAF)).hash).toString("hex");
    const leaf = `1004${hash}0000abcd`;
    expect(shown(readBoc(bag("b5ee9c72", "01", "01", "020100", "2a", "00", ROOT, leaf)))).toEqual(root);
  });

  test("reads several roots, which readBoc rejects", () => {
    const bytes = bag("b5ee9c72", "01", "01", "020200", "08", "0001", ROOT, LEAF);
    expect(readBocRoots(bytes).map(shown)).toEqual([root, tree]);
    expect(() => readBoc(bytes)).toThrow("a bag of cells has 2 roots, expected one");
  });

  test("rejects more cells or roots than the limits allow", () => {
    const bytes = bag("b5ee9c72", "01", "01", "020200", "08", "0001", ROOT, LEAF);
    expect(readBocRoots(bytes, { maxCells: 2, maxRoots: 2 }).length).toBe(2);
    expect(() => readBocRoots(bytes, { maxCells: 1 })).toThrow("must have at most 1 cells and 2 roots, got 2 and 2");
    expect(() => readBocRoots(bytes, { maxRoots: 1 })).toThrow("must have at most 2 cells and 1 roots, got 2 and 2");
  });

  const faults: Record<string, [bytes: Uint8Array, message: string]> = {
    "no bytes": [bag(), "a bag of cells ends within its first 4 bytes"],
    "bytes of another kind": [Buffer.from("what is this?"), "the bytes are not a bag of cells"],
    "a truncated bag": [bag("b5ee9c72", "01", "01", "020100", "08", "00", ROOT), "a bag of cells has 15 bytes, expected 19"],
    "a wrong checksum": [
      bag("b5ee9c72", "41", "01", "020100", "08", "00", ROOT, LEAF, "00000000"),
      "a bag of cells has a wrong checksum",
    ],
    "sizes of nothing": [
      bag("b5ee9c72", "00", "01", "020100", "08", "00", ROOT, LEAF),
      "has references of 0 and offsets of 1 bytes",
    ],
    "no root": [bag("b5ee9c72", "01", "01", "020000", "08", ROOT, LEAF), "a bag of 2 cells has 0 roots"],
    "a root beyond the end": [bag("b5ee9c72", "01", "01", "020100", "08", "02", ROOT, LEAF), "a bag of 2 cells has no cell 2"],
    "a cell of five references": [bag("b5ee9c72", "01", "01", "010100", "07", "00", "05000101010101"), "has 5 references"],
    "a pruned branch that is too deep": [
      bag("b5ee9c72", "01", "01", "010100", "26", "00", `28480101${"00".repeat(32)}0401`),
      "a bag holds a tree of cells deeper than 1024",
    ],
    "a circle": [bag("b5ee9c72", "01", "01", "010100", "03", "00", "010000"), "cell 0 of a bag refers back to cell 0"],
    "a reference to nowhere": [bag("b5ee9c72", "01", "01", "010100", "03", "00", "010009"), "a bag of 1 cells has no cell 9"],
    "bits without an end": [
      bag("b5ee9c72", "01", "01", "010100", "03", "00", "000100"),
      "cell 0 of a bag has no end of its bits",
    ],
    "more cells than bytes": [
      bag("b5ee9c72", "02", "01", "ffff00010000", "03", "0000", "000100"),
      "a bag of 65535 cells has only 18 bytes",
    ],
    "an exotic cell of an unknown type": [
      bag("b5ee9c72", "01", "01", "010100", "03", "00", "080209"),
      "an exotic cell must have type 1 to 4, got 9: it may be of a newer block.tlb",
    ],
    "a library without a hash": [
      bag("b5ee9c72", "01", "01", "010100", "03", "00", "080202"),
      "a cell of type library has 8 bits and 0 references",
    ],
  };
  test.each(Object.entries(faults))("rejects %s", (_, [bytes, message]) => {
    expect(() => readBocRoots(bytes)).toThrow(message);
    expect(() => readBocRoots(bytes)).toThrow(CellError);
  });

  test("accepts a tree of depth 1024 and rejects a deeper one", () => {
    const chain = (length: number): Uint8Array => {
      const cell = (i: number) => (i === length - 1 ? "0000" : `0100${(i + 1).toString(16).padStart(4, "0")}`);
      const body = Array.from({ length }, (_, i) => cell(i)).join("");
      const count = length.toString(16).padStart(4, "0");
      return bag("b5ee9c72", "02", "03", count, "00010000", (body.length / 2).toString(16).padStart(6, "0"), "0000", body);
    };
    expect(readBoc(chain(1025)).depth).toBe(1024);
    expect(() => readBoc(chain(1026))).toThrow("a tree of cells deeper than 1024");
    expect(() => readBoc(chain(60_000))).toThrow("a tree of cells deeper than 1024");
  });
});
