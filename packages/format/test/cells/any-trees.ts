import { Cell as CoreCell } from "@ton/core";
import { type Arbitrary, array, assert as check, integer, nat, property, record, uint8Array } from "fast-check";
import { expect } from "vitest";
import { readBoc, readBocRoots, writeBoc, writeBocRoots, writePooledBoc } from "../../src/cells/bag-of-cells.ts";
import type { Cell } from "../../src/cells/cell.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
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
export function shown(cell: Cell): unknown {
  return { type: cell.type, bits: cell.bitLength, bytes: Buffer.from(cell.bytes).toString("hex"), refs: cell.refs.map(shown) };
}

export function hashes(cell: Cell | CoreCell): string[] {
  return cell instanceof CoreCell
    ? LEVELS.map((level) => `${cell.hash(level).toString("hex")} ${cell.depth(level)}`)
    : LEVELS.map((level) => `${Buffer.from(cell.hashAt(level)).toString("hex")} ${cell.depthAt(level)}`);
}

/** Writes trees, and reads them back. */
export function checkTrees(runs: number): void {
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
    { seed: 1, numRuns: runs },
  );
}

/** Writes several trees into one bag, and reads them back. */
export function checkRoots(runs: number): void {
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
    { seed: 1, numRuns: runs },
  );
}
