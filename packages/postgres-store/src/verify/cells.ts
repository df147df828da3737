import { cellRecord, type ShallowCell } from "@chain-query/chain-store";
import { Cell, hex, readBoc } from "@chain-query/format/cells";
import { type Database, query } from "../client.ts";
import { must, mustEqual, naming, RowStream } from "./rows.ts";

/** $1 is the unused head: cells have no step. */
const CELLS_PAGE = "SELECT hash, record FROM cells WHERE $1::int4 >= 0 AND hash > $3 ORDER BY hash LIMIT $2";
const READ_CELL = "SELECT record FROM cells WHERE hash = $1";

const MAX_CELLS = 10_000;

/** Reads the cells that records refer to, and caches them. */
export interface KeptCells {
  get(hash: Uint8Array): Promise<Cell>;
  /** Builds the cell of an account from its record. */
  accountCell(cell: ShallowCell): Promise<Cell>;
}

export function keptCells(sql: Database): KeptCells {
  const cells = new Map<string, Cell>();
  const get = async (hash: Uint8Array): Promise<Cell> => {
    const name = hex(hash);
    const known = cells.get(name);
    if (known) return known;
    const [row] = await query<{ record: Buffer }>(sql, READ_CELL, [hash]);
    must(row !== undefined, () => `cell ${name} is missing`);
    const cell = await cellOf(hash, row.record);
    if (cells.size === MAX_CELLS) cells.clear();
    cells.set(name, cell);
    return cell;
  };
  return {
    get,
    accountCell: async ({ bytes, bitLength, refs }) => {
      const children: Cell[] = [];
      for (const ref of refs) children.push("kept" in ref ? await get(ref.kept) : readBoc(ref.boc));
      return new Cell(bytes, bitLength, children);
    },
  };
}

/** Checks all cells. */
export async function verifyCells(sql: Database): Promise<void> {
  const cells = new RowStream<{ hash: Buffer; record: Buffer }>(sql, CELLS_PAGE, 0, [new Uint8Array()], ({ hash }) => [hash]);
  for (let row = await cells.peek(); row; row = await cells.peek()) {
    await cellOf(row.hash, row.record);
    cells.take();
  }
}

function cellOf(hash: Uint8Array, record: Uint8Array): Promise<Cell> {
  return naming(
    () => `cell ${hex(hash)}`,
    () => {
      const cell = readBoc(cellRecord.decode(record));
      mustEqual(cell.hash, hash, () => `hash of cell ${hex(hash)}`);
      return cell;
    },
  );
}
