/** Reads tables in the order of their keys and the cells that their records refer to, and reports wrong rows. */

import { Cell, CellError, hex, readBoc } from "@chain-query/format/cells";
import { ChainStoreError, type Checks, cellRecord, type ShallowCell, storeChecks } from "@chain-query/format/store";
import { type Database, type Parameter, query, type Row } from "../database/client.ts";
import { PostgresStoreError } from "../types.ts";
import { type BulkRow, type BulkTable, TABLES } from "../writing/encode-steps.ts";

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

/** Compares a stored row with the one that a writer makes of it. */
export function mustBe<T extends Row>({ columns }: BulkTable, row: T, expected: BulkRow, name: () => string): void {
  for (const [i, [column]] of columns.entries())
    mustEqual(row[column] as BulkRow[number], expected[i], () => `${column} of ${name()}`);
}

const PAGE = 1_000;
const LOWEST = { bytea: new Uint8Array(), int4: -(2 ** 31), int8: -(2n ** 63n) } as const;

/**
 * The rows of a table in the order of its key. Reads the next page while the current one is checked, without an open transaction.
 *
 * @param steps - Both ends included. Cells have no step.
 */
export async function* rowsOf<T extends Row>(
  sql: Database,
  { name, columns, keyLength }: BulkTable,
  steps?: readonly [from: number, to: number],
): AsyncGenerator<T> {
  const names = columns.map(([column]) => column);
  const key = columns.slice(0, keyLength);
  const keyNames = names.slice(0, keyLength).join(", ");
  const after = key.map(([, type], i) => `$${i + 1}::${type}`).join(", ");
  const range = steps ? `mc_seqno BETWEEN ${steps[0]} AND ${steps[1]} AND ` : "";
  const text = `SELECT ${names.join(", ")} FROM ${name} WHERE ${range}(${keyNames}) > (${after}) ORDER BY ${keyNames} LIMIT ${PAGE}`;
  const read = (start: readonly Parameter[]): Promise<readonly T[]> => {
    const page = query<T>(sql, text, start);
    // The loop throws the error.
    page.catch(() => {});
    return page;
  };
  let next: Promise<readonly T[]> | undefined = read(key.map(([, type]) => LOWEST[type]));
  while (next) {
    const page: readonly T[] = await next;
    const last = page.at(-1);
    next = last && page.length === PAGE ? read(key.map(([column]) => last[column] as Parameter)) : undefined;
    yield* page;
  }
}

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
  for await (const { hash, record } of rowsOf<{ hash: Buffer; record: Buffer }>(sql, TABLES.cells)) await cellOf(hash, record);
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
