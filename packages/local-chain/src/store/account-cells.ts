import type { ShallowCell } from "@chain-query/chain-store";
import { Cell, readBoc, toBinaryString } from "@chain-query/format/cells";
import { keptCells } from "./store-contents.ts";
import type { Tables } from "./tables.ts";

/** Builds the cell of an account from its record. */
export type CellOfRecord = (cell: ShallowCell) => Cell;

const MAX_PARSED_CELLS = 1_000;

/** Code that many accounts have is one cell in memory. */
export function cellOfRecord(tables: Tables): CellOfRecord {
  const kept = keptCells(tables.cells);
  const parsed = new Map<string, Cell>();

  const keptCell = (hash: Uint8Array): Cell => {
    const name = toBinaryString(hash);
    const known = parsed.get(name);
    if (known) return known;
    const cell = readBoc(kept(hash));
    if (parsed.size >= MAX_PARSED_CELLS) parsed.clear();
    parsed.set(name, cell);
    return cell;
  };

  return ({ bytes, bitLength, refs }) =>
    new Cell(
      bytes,
      bitLength,
      refs.map((ref) => ("kept" in ref ? keptCell(ref.kept) : readBoc(ref.boc))),
    );
}
