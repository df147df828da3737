/** Writes batches of rows by COPY and INSERT, and commits them. */
import { finished } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { hex } from "@chain-query/format/cells";
import { type Parameter, type PendingQuery, type Queryable, query, type Row } from "../database/client.ts";
import { codeOf, isRetryable } from "../database/store-error.ts";
import { PostgresStoreError } from "../types.ts";
import { type Batch, type BulkRow, type BulkTable, TABLES } from "./encode-steps.ts";

/** A batch with its encoded bytes, which are computed before the transaction begins. */
export interface EncodedBatch {
  readonly batch: Batch;
  readonly copies: readonly (readonly [table: CopiedTable, bytes: Buffer])[];
}
type CopiedTable = Exclude<keyof Batch, "cells" | "firstStates">;
const COPIED: readonly CopiedTable[] = ["transactions", "versions", "blocks"];

export function encodeBatch(batch: Batch): EncodedBatch {
  const filled = COPIED.filter((table) => batch[table].length > 0);
  return { batch, copies: filled.map((table) => [table, encodeCopy(TABLES[table], batch[table])] as const) };
}

/**
 * Writes a batch. Pipelines all INSERTs, then sends one COPY after another.
 *
 * @param isRepeated - Whether some rows may exist already. Existing rows are then compared.
 */
export async function writeBatch(sql: Queryable, { batch, copies }: EncodedBatch, isRepeated: boolean): Promise<void> {
  const isInserted = (name: CopiedTable): boolean => isRepeated || batch[name].length <= MAX_PREPARED_ROWS;
  const copyAll = async (): Promise<void> => {
    for (const [name, bytes] of copies) if (!isInserted(name)) await copyRows(sql, TABLES[name], bytes);
  };
  await allInOrder([
    insertRows(sql, TABLES.cells, batch.cells),
    ...copies.filter(([name]) => isInserted(name)).map(([name]) => insertNew(sql, name, batch[name], isRepeated)),
    copyAll(),
  ]);
}

async function insertNew(sql: Queryable, name: CopiedTable, rows: Batch[CopiedTable], isRepeated: boolean): Promise<void> {
  const table = TABLES[name];
  if ((await insertRows(sql, table, rows)) === rows.length) return;
  // A COPY may have begun on this connection, so the rows cannot be compared now. A COPY would fail with the same code.
  if (!isRepeated)
    throw Object.assign(new Error(`table ${table.name} has some of the rows already`), { code: UNIQUE_VIOLATION });
  const different = await findDifferent(sql, table, rows);
  if (different)
    throw new PostgresStoreError("damaged", `table ${table.name} has another row ${keyText(different, table.keyLength)}`);
}

/** Waits for pipelined statements. The first error is the cause of the later ones. */
async function allInOrder(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(sent)) if (result.status === "rejected") throw result.reason;
}

function keyText(row: Batch[CopiedTable][number], keyLength: number): string {
  return row
    .slice(0, keyLength)
    .map((value) => (value instanceof Uint8Array ? hex(value) : `${value}`))
    .join(" ");
}

const TRIES = 5;
const FIRST_WAIT_MS = 50;

/**
 * Commits, and retries after temporary errors.
 *
 * @param isCommitted - Called before each retry: a transaction whose connection was lost may be committed.
 */
export async function commitWithRetries(
  commit: (isRepeated: boolean) => Promise<unknown>,
  isCommitted: () => Promise<boolean>,
): Promise<void> {
  let isRepeated = false;
  for (let tries = 1; ; tries++) {
    try {
      if (tries > 1 && (await isCommitted())) return;
      await commit(isRepeated);
      return;
    } catch (cause) {
      const isConflict = !isRepeated && codeOf(cause) === UNIQUE_VIOLATION;
      if (tries === TRIES || !(isConflict || isRetryable(cause))) throw cause;
      isRepeated = true;
      if (!isConflict) await setTimeout(FIRST_WAIT_MS * 2 ** tries);
    }
  }
}

const UNIQUE_VIOLATION = "23505";

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
/** Flags and the length of an extension of the header. */
const HEADER_BYTES = SIGNATURE.length + 8;
const TRAILER_BYTES = 2;

/** Rows in PostgreSQL's binary format of COPY. */
export function encodeCopy({ columns }: BulkTable, rows: readonly BulkRow[]): Buffer {
  const types = columns.map(([, type]) => type);
  let size = HEADER_BYTES + TRAILER_BYTES;
  for (const row of rows) {
    size += 2;
    for (const value of row) size += 4 + (value instanceof Uint8Array ? value.length : 8);
  }
  const bytes = Buffer.allocUnsafe(size);
  SIGNATURE.copy(bytes);
  bytes.fill(0, SIGNATURE.length, HEADER_BYTES);
  let at = HEADER_BYTES;
  for (const row of rows) {
    at = bytes.writeInt16BE(types.length, at);
    for (let i = 0; i < types.length; i++) at = writeField(bytes, at, row[i] ?? null);
  }
  at = bytes.writeInt16BE(-1, at);
  return bytes.subarray(0, at);
}

/** A number is an int4, a bigint is an int8. */
function writeField(bytes: Buffer, start: number, value: BulkRow[number]): number {
  if (value === null) return bytes.writeInt32BE(-1, start);
  if (typeof value === "number") return bytes.writeInt32BE(value, bytes.writeInt32BE(4, start));
  if (typeof value === "bigint") return bytes.writeBigInt64BE(value, bytes.writeInt32BE(8, start));
  const at = bytes.writeInt32BE(value.length, start);
  bytes.set(value, at);
  return at + value.length;
}

/** Sends the rows of `encodeCopy`. */
export async function copyRows(sql: Queryable, { name, columns }: BulkTable, bytes: Uint8Array): Promise<void> {
  const copy = sql.unsafe(`COPY ${name} (${columns.map(([column]) => column).join(", ")}) FROM STDIN WITH (FORMAT binary)`);
  const stream = await copy.writable();
  // The client library reports an error after the last byte to the query, which has already resolved with the stream.
  Object.assign(copy, { reject: (cause: Error) => stream.destroy(cause) });
  stream.end(bytes);
  await finished(stream);
}

/** PostgreSQL's limit is 65,535. */
const MAX_PARAMETERS = 60_000;
/** Up to this number of rows, a prepared INSERT is faster: it takes one round trip, a COPY takes two. */
const MAX_PREPARED_ROWS = 16;

/** Inserts rows that do not exist yet, and returns their number. Pipelines all statements. */
export async function insertRows(sql: Queryable, table: BulkTable, rows: readonly BulkRow[]): Promise<number> {
  const most = Math.floor(MAX_PARAMETERS / table.columns.length);
  const statements: Promise<{ readonly count: number }>[] = [];
  for (let from = 0; from < rows.length; from += most)
    statements.push(insertStatement(sql, table, rows.slice(from, from + most)).execute());
  return (await Promise.all(statements)).reduce((sum, { count }) => sum + count, 0);
}

function insertStatement(sql: Queryable, { name, columns }: BulkTable, rows: readonly BulkRow[]): PendingQuery<Row> {
  const values = rows.map((_, i) => `(${columns.map(([, type], j) => `$${i * columns.length + j + 1}::${type}`).join(", ")})`);
  const text = `INSERT INTO ${name} (${columns.map(([column]) => column).join(", ")}) VALUES ${values.join(", ")} ON CONFLICT DO NOTHING`;
  const parameters: Parameter[] = rows.flat();
  return sql.unsafe<Row[]>(text, parameters, { prepare: rows.length <= MAX_PREPARED_ROWS });
}

/** Finds the first row whose stored record has other bytes. */
async function findDifferent(
  sql: Queryable,
  { name, columns, keyLength }: BulkTable,
  rows: readonly BulkRow[],
): Promise<BulkRow | undefined> {
  const conditions = columns.slice(0, keyLength).map(([column], i) => `${column} = $${i + 1}`);
  const text = `SELECT record FROM ${name} WHERE ${conditions.join(" AND ")}`;
  const stored = await Promise.all(rows.map((row) => query<{ record: Buffer }>(sql, text, row.slice(0, keyLength))));
  return rows.find((row, i) => {
    const record = row.at(-1);
    return !(record instanceof Uint8Array) || !stored[i]?.[0]?.record.equals(record);
  });
}
