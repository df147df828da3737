import { BitString, Cell as CoreCell } from "@ton/core";
import type { Cell } from "../src/cells/cell.ts";
import { readBoc } from "../src/cells/index.ts";

/** The same cell as one of `@ton/core`, without a bag of cells in between. */
export function toCoreCell(cell: Cell): CoreCell {
  return converted(cell, new Map());
}

/** The same cell as one of ours. */
export function fromCoreCell(cell: CoreCell): Cell {
  return readBoc(cell.toBoc());
}

function converted(cell: Cell, done: Map<Cell, CoreCell>): CoreCell {
  const seen = done.get(cell);
  if (seen) return seen;
  const core = new CoreCell({
    exotic: cell.type !== "ordinary",
    bits: new BitString(Buffer.from(cell.bytes), 0, cell.bitLength),
    refs: cell.refs.map((ref) => converted(ref, done)),
  });
  done.set(cell, core);
  return core;
}
