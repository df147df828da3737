import { type Cell, readBoc, writeBoc } from "@chain-query/format/cells";
import { Cell as CoreCell } from "@ton/core";

/** The same cell as one of `@ton/core`. */
export function toCoreCell(cell: Cell): CoreCell {
  const [root] = CoreCell.fromBoc(Buffer.from(writeBoc(cell))) as [CoreCell];
  return root;
}

/** A cell of `@ton/core` as one of ours. */
export function fromCoreCell(cell: CoreCell): Cell {
  return readBoc(cell.toBoc());
}
