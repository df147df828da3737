import { type Arbitrary, array, integer, nat, record, uint8Array } from "fast-check";
import type { Cell } from "../../src/cells/cell.ts";
import { CellBuilder } from "../../src/cells/cell-builder.ts";

const specification = record({
  bytes: uint8Array({ maxLength: 127 }),
  unused: integer({ min: 0, max: 7 }),
  refs: array(nat(), { maxLength: 4 }),
});

/** Graphs of cells: each refers to some of those before it, so that many occur more than once. */
export const cells: Arbitrary<Cell> = array(specification, { minLength: 1, maxLength: 30 }).map((specifications) => {
  const made: Cell[] = [];
  for (const { bytes, unused, refs } of specifications) {
    const builder = new CellBuilder().bitsOf(bytes, 0, Math.max(0, bytes.length * 8 - unused));
    for (const ref of made.length > 0 ? refs : []) builder.ref(made[ref % made.length] as Cell);
    made.push(builder.cell());
  }
  return made[made.length - 1] as Cell;
});
