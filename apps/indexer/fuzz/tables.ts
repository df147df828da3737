import { createHash } from "node:crypto";
import postgres from "postgres";

/** Tables whose rows follow from the chain alone. */
const tables = ["chain", "blocks", "transactions", "account_versions", "cells"];

/** Runs statements in a database. */
export async function inDatabase<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

/** The newest published step; undefined without an index. */
export function headOf(url: string): Promise<number | undefined> {
  return inDatabase(url, async (sql) => {
    const [row] = await sql<{ seqno: number }[]>`SELECT seqno FROM head`.catch(() => []);
    return row?.seqno;
  });
}

/** A hash of every row of an index, but for those of its writers. */
export function digestOf(url: string): Promise<string> {
  return inDatabase(url, async (sql) => {
    const hash = createHash("sha256");
    for (const table of tables) {
      const rows = await sql.unsafe(`SELECT t::text AS row FROM ${table} t ORDER BY 1`);
      hash.update(`${table} ${rows.length}\n`);
      for (const { row } of rows) hash.update(`${row}\n`);
    }
    const [head] = await sql`SELECT seqno, encode(record, 'hex') AS record FROM head`;
    return hash.update(JSON.stringify(head)).digest("hex");
  });
}
