/** Indexes of local chains, and comparisons of their rows. */
import { createHash } from "node:crypto";
import { type IndexerEvent, runIndexer } from "@chain-query/indexer";
import { chainSteps } from "@chain-query/local-chain";
import { storedRecords } from "@chain-query/local-chain/testing";
import { openPostgresWriter } from "@chain-query/postgres-store";
import { inDatabase } from "@chain-query/testing/services";
import type postgres from "postgres";

/** Indexes a chain to its end, and returns the events. */
export async function indexWhole(url: string, chain: string): Promise<readonly IndexerEvent[]> {
  const source = chainSteps(chain);
  const newest = await source.newest();
  const end = new AbortController();
  const events: IndexerEvent[] = [];
  const onEvent = (event: IndexerEvent): void => {
    events.push(event);
    if (event.type !== "waits" && event.head === newest) end.abort();
  };
  await runIndexer({ source, openWriter: () => openPostgresWriter({ url }), onEvent }, end.signal);
  await source.close();
  return events;
}

/** Tables whose rows depend on the chain alone. */
const tables = ["chain", "blocks", "transactions", "account_versions", "cells"];

/** The newest published step; undefined without an index, and while the database is unavailable. */
export async function headIn(sql: postgres.Sql): Promise<number | undefined> {
  const [row] = await sql<{ seqno: number }[]>`SELECT seqno FROM head`.catch(() => []);
  return row?.seqno;
}

export function headOf(url: string): Promise<number | undefined> {
  return inDatabase(url, headIn);
}

/** A hash of all rows of an index, except those of its writers. */
export async function digestOf(url: string): Promise<string> {
  const [head] = await inDatabase(url, (sql) => sql`SELECT seqno, encode(record, 'hex') AS record FROM head`);
  return createHash("sha256")
    .update(await rowsDigestOf(url))
    .update(JSON.stringify(head))
    .digest("hex");
}

/** The same without the head, which does not count the transactions of steps that were added before the first one of an index. */
export function rowsDigestOf(url: string): Promise<string> {
  return inDatabase(url, async (sql) => {
    const hash = createHash("sha256");
    for (const table of tables) {
      const rows = await sql.unsafe(`SELECT t::text AS row FROM ${table} t ORDER BY 1`);
      hash.update(`${table} ${rows.length}\n`);
      for (const { row } of rows) hash.update(`${row}\n`);
    }
    return hash.digest("hex");
  });
}

/** The rows that the LMDB store has too, with its keys. */
const shared = {
  transactions: "SELECT account || int8send(lt) AS key, record FROM transactions",
  versions: "SELECT account || int4send(mc_seqno) AS key, record FROM account_versions",
  blocks: `SELECT int4send(workchain # (-2147483648)::int4) || int8send(shard) || int4send(seqno) AS key, record FROM blocks`,
} as const;

/** @throws Error unless the transactions, versions and headers of an index equal those of a chain in a folder, byte for byte. */
export function requireRecordsOf(chain: string, url: string): Promise<void> {
  return inDatabase(url, async (sql) => {
    for (const table of ["transactions", "versions", "blocks"] as const) {
      const records = await storedRecords(chain, table);
      const rows = await sql.unsafe<{ key: Buffer; record: Buffer }[]>(shared[table]);
      if (rows.length !== records.size) throw new Error(`the index must have ${records.size} ${table}, got ${rows.length}`);
      for (const { key, record } of rows)
        if (records.get(key.toString("hex")) !== record.toString("hex"))
          throw new Error(`${table} ${key.toString("hex")} must have the record of the chain`);
    }
  });
}
