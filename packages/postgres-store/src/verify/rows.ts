/** Reads tables in the order of their keys and the cells that their records refer to, and reports wrong rows. */

import { Cell, CellError, hex, readBoc } from "@chain-query/format/cells";
import { ChainStoreError, type Checks, cellRecord, type ShallowCell, storeChecks } from "@chain-query/format/store";
import { type Database, type Parameter, query, type Row } from "../client.ts";
import { PostgresStoreError } from "../types.ts";

const PAGE = 1_000;

/** The rows of a table in the order of its key. Reads the next page while the current one is checked, without an open transaction. */
export class RowStream<T extends Row> {
  readonly #readPage: (after: readonly Parameter[]) => Promise<readonly T[]>;
  readonly #keyOf: (row: T) => readonly Parameter[];
  #page: readonly T[] = [];
  #at = 0;
  #next: Promise<readonly T[]> | undefined;

  /**
   * @param text - Its parameters are the head, the page size, and the key after which the page begins.
   * @param start - A key below all keys.
   */
  constructor(sql: Database, text: string, head: number, start: readonly Parameter[], keyOf: (row: T) => readonly Parameter[]) {
    this.#readPage = async (after) => query<T>(sql, text, [head, PAGE, ...after]);
    this.#keyOf = keyOf;
    this.#prefetch(start);
  }

  /** Returns the next row without consuming it. */
  async peek(): Promise<T | undefined> {
    if (this.#at === this.#page.length && this.#next) {
      this.#page = await this.#next;
      this.#at = 0;
      this.#next = undefined;
      const last = this.#page.at(-1);
      if (last && this.#page.length === PAGE) this.#prefetch(this.#keyOf(last));
    }
    return this.#page[this.#at];
  }

  /** Consumes the next row. */
  take(): void {
    this.#at += 1;
  }

  #prefetch(after: readonly Parameter[]): void {
    this.#next = this.#readPage(after);
    // `peek` throws the error.
    this.#next.catch(() => {});
  }
}

const checks = storeChecks((problem) => new PostgresStoreError("damaged", problem));
/** Throws unless the condition holds. */
export const must: Checks["must"] = checks.must;
/** Throws unless two values are equal. */
export const mustEqual: Checks["mustEqual"] = checks.mustEqual;

/** Runs a check of a record. Decoding errors get the name of the record. */
export async function naming<T>(what: () => string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    if (!(cause instanceof CellError || cause instanceof ChainStoreError || cause instanceof RangeError)) throw cause;
    throw new PostgresStoreError("damaged", `${what()} cannot be read: ${cause.message}`, { cause });
  }
}

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
