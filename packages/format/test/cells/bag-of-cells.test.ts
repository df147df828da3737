import { bytesOf, realCells } from "@chain-query/block-walker/recorded-cells";
import { Cell as CoreCell } from "@ton/core";
import { assert as check, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { readBoc, readBocRoots } from "../../src/cells/boc-reader.ts";
import { writeBoc } from "../../src/cells/boc-writer.ts";
import type { Cell } from "../../src/cells/cell.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { CellError } from "../../src/cells/cell-reader.ts";
import { crc32c } from "../../src/cells/crc32c.ts";
import { fromCoreCell, toCoreCell } from "../core-cell.ts";
import { cells } from "./arbitrary-cell.ts";

const LEVELS = [0, 1, 2, 3];

/** Everything that a cell shows of itself, and of those below it. */
function shown(cell: Cell): unknown {
  return { type: cell.type, bits: cell.bitLength, bytes: Buffer.from(cell.bytes).toString("hex"), refs: cell.refs.map(shown) };
}

function hashes(cell: Cell | CoreCell): string[] {
  return cell instanceof CoreCell
    ? LEVELS.map((level) => `${cell.hash(level).toString("hex")} ${cell.depth(level)}`)
    : LEVELS.map((level) => `${Buffer.from(cell.hashAt(level)).toString("hex")} ${cell.depthAt(level)}`);
}

describe("readBoc and writeBoc", () => {
  test("give back any tree, in the bytes that @ton/core writes", () => {
    check(
      property(cells, (cell) => {
        const bytes = writeBoc(cell);
        expect(shown(readBoc(bytes))).toEqual(shown(cell));
        const core = toCoreCell(cell);
        expect(hashes(cell)).toEqual(hashes(core));
        expect(Buffer.from(bytes)).toEqual(core.toBoc());
        expect(shown(fromCoreCell(core))).toEqual(shown(cell));
      }),
      { numRuns: 60 },
    );
  });

  test("write a cell once that occurs often", () => {
    let cell = new CellBuilder().cell();
    for (let i = 0; i < 60; i++) cell = new CellBuilder().ref(cell).ref(new CellBuilder().append(cell).cell()).cell();
    expect(writeBoc(cell).length).toBeLessThan(400);
    expect(readBoc(writeBoc(cell)).depth).toBe(60);
  });

  test("keep cells apart whose hashes begin alike", () => {
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

  test("take many cells, whose numbers need two bytes", () => {
    const leaves = Array.from({ length: 300 }, (_, i) => new CellBuilder().uint(i, 16).cell());
    const root = leaves.reduce((chain, leaf) => new CellBuilder().ref(leaf).ref(chain).cell());
    const [core] = CoreCell.fromBoc(Buffer.from(writeBoc(root)));
    expect(core?.hash().toString("hex")).toBe(Buffer.from(readBoc(writeBoc(root)).hash).toString("hex"));
  });
});

/** A root of the bits 101 that refers to a cell of abcd, written by hand. */
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

  test("reads cells that carry their hashes", () => {
    const hash = Buffer.from(readBoc(bag("b5ee9c72", "01", "01", "010100", "04", "00", LEAF)).hash).toString("hex");
    const leaf = `1004${hash}0000abcd`;
    expect(shown(readBoc(bag("b5ee9c72", "01", "01", "020100", "2a", "00", ROOT, leaf)))).toEqual(root);
  });

  test("reads several roots, which readBoc refuses", () => {
    const bytes = bag("b5ee9c72", "01", "01", "020200", "08", "0001", ROOT, LEAF);
    expect(readBocRoots(bytes).map(shown)).toEqual([root, tree]);
    expect(() => readBoc(bytes)).toThrow("a bag of cells has 2 roots instead of one");
  });

  const faults: Record<string, [bytes: Uint8Array, message: string]> = {
    "no bytes": [bag(), "a bag of cells ends within its first 4 bytes"],
    "another file": [Buffer.from("what is this?"), "these bytes are no bag of cells"],
    "a half": [bag("b5ee9c72", "01", "01", "020100", "08", "00", ROOT), "a bag of cells has 15 bytes instead of 19"],
    "a wrong checksum": [
      bag("b5ee9c72", "41", "01", "020100", "08", "00", ROOT, LEAF, "00000000"),
      "does not agree with its checksum",
    ],
    "sizes of nothing": [bag("b5ee9c72", "00", "01", "020100", "08", "00", ROOT, LEAF), "has impossible sizes"],
    "no root": [bag("b5ee9c72", "01", "01", "020000", "08", ROOT, LEAF), "a bag of 2 cells has 0 roots"],
    "a root beyond the end": [bag("b5ee9c72", "01", "01", "020100", "08", "02", ROOT, LEAF), "a bag of 2 cells has no cell 2"],
    "a cell of five references": [bag("b5ee9c72", "01", "01", "010100", "07", "00", "05000101010101"), "has 5 references"],
    "a circle": [bag("b5ee9c72", "01", "01", "010100", "03", "00", "010000"), "cell 0 of a bag refers back to cell 0"],
    "a reference to nowhere": [bag("b5ee9c72", "01", "01", "010100", "03", "00", "010009"), "a bag of 1 cells has no cell 9"],
    "bits without an end": [bag("b5ee9c72", "01", "01", "010100", "03", "00", "000100"), "does not say where its bits end"],
    "more cells than bytes": [
      bag("b5ee9c72", "02", "01", "ffff00010000", "03", "0000", "000100"),
      "a bag of 65535 cells has 18 bytes only",
    ],
    "an exotic cell of no type": [
      bag("b5ee9c72", "01", "01", "010100", "03", "00", "080209"),
      "an exotic cell of an unknown type",
    ],
    "a library without a hash": [
      bag("b5ee9c72", "01", "01", "010100", "03", "00", "080202"),
      "a cell of type library with 8 bits",
    ],
  };
  test.each(Object.entries(faults))("refuses %s", (_, [bytes, message]) => {
    expect(() => readBocRoots(bytes)).toThrow(message);
    expect(() => readBocRoots(bytes)).toThrow(CellError);
  });

  test("refuses a tree that is deeper than the network allows, and no other", () => {
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

  test("reads real cells, with the hashes that @ton/core finds at every level", () => {
    const files = [...realCells("blocks"), ...realCells("tx"), ...realCells("accounts")];
    for (const file of files) {
      const bytes = bytesOf(file);
      const core = CoreCell.fromBoc(Buffer.from(bytes));
      const roots = readBocRoots(bytes);
      expect(roots.map(hashes)).toEqual(core.map(hashes));
      for (const [i, each] of roots.entries()) expect(Buffer.from(writeBoc(each))).toEqual(core[i]?.toBoc());
    }
    expect(files.length === 0 || files.length === 17).toBe(true);
  });
});
