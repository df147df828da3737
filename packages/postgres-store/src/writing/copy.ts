import { finished } from "node:stream/promises";
import { type Parameter, type PendingQuery, type Queryable, query, type Row } from "../client.ts";

/** A table that is written in bulk, with its columns in their order, and the number of those that are its primary key. */
export interface BulkTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: "bytea" | "int4" | "int8"])[];
  readonly keyLength: number;
}

/** The values of a row, one for each column. */
export type BulkRow = readonly (Uint8Array | number | bigint | null)[];

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

/** Sends rows that `encodeCopy` made. */
export async function copyRows(sql: Queryable, { name, columns }: BulkTable, bytes: Uint8Array): Promise<void> {
  const copy = sql.unsafe(`COPY ${name} (${columns.map(([column]) => column).join(", ")}) FROM STDIN WITH (FORMAT binary)`);
  const stream = await copy.writable();
  // The library tells an error after the last byte to the query, which has already resolved with the stream.
  Object.assign(copy, { reject: (cause: Error) => stream.destroy(cause) });
  stream.end(bytes);
  await finished(stream);
}

/** PostgreSQL's limit is 65,535. */
const MAX_PARAMETERS = 60_000;
/** Statements with few rows come again and again. A prepared INSERT is one round trip to the database, a COPY two. */
export const MAX_PREPARED_ROWS = 16;

/** Adds rows that are not there yet, and returns their number. Sends all statements at once. */
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

/** The first row that is not in the table with these very bytes. */
export async function findDifferent(
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
