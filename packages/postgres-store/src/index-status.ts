import { query } from "./database/client.ts";
import { readHead } from "./database/head-record.ts";
import { readHistory } from "./database/history-row.ts";
import { READ_LEASES } from "./database/statements.ts";
import { withIndex } from "./migrate.ts";
import { readBytes, readPartitions } from "./partitions/partitions.ts";
import type { PostgresConnection } from "./types.ts";

/** The content of an index, and its size on disk. */
export interface IndexStatus {
  /** The newest published step; undefined before the first writer. */
  readonly head: number | undefined;
  /** Time of its block, in Unix seconds. */
  readonly headTime: number | undefined;
  readonly transactionCount: bigint;
  /** Bytes of all tables with their indexes. */
  readonly bytes: number;
  /** Bytes of each table with its partitions and indexes, the largest first. */
  readonly tables: readonly { readonly name: string; readonly bytes: number }[];
  /** The first step whose transactions and account versions the index has; 0 with the zero state. */
  readonly firstSeqno: number;
  /** The first step that was ever written; 0 with the zero state. */
  readonly beginsAt: number;
  /** Ranges of steps that can be dropped, the oldest first. The last one is open. */
  readonly partitions: readonly { readonly from: number; readonly to?: number; readonly bytes: number }[];
  /** Leases of writers: `head`, or `history` of a process that adds or drops old steps. */
  readonly leases: readonly LeaseStatus[];
}

/** A lease that was not released. */
interface LeaseStatus {
  readonly name: string;
  readonly holder: string;
  /** Seconds since the last renewal. */
  readonly age: number;
  /** The state of the writer as of then, if it stored one. */
  readonly state?: string;
}

const READ_SIZES = `SELECT coalesce(p.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid))::int8 AS bytes
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  GROUP BY 1 ORDER BY 2 DESC, 1`;

/**
 * Reads the head, the sizes of the tables, and who writes.
 *
 * @throws PostgresStoreError if the database has no index.
 *
 * @example
 * const { bytes, transactionCount } = await readIndexStatus({ url: "postgres://reader@localhost/chain" });
 * console.log(`${bytes / Number(transactionCount)} bytes for each transaction`);
 */
export async function readIndexStatus(connection: PostgresConnection): Promise<IndexStatus> {
  return withIndex({ statementTimeout: 10_000, ...connection }, "reader", async (sql) => {
    const [partitions, history, head, sizes, leases] = await Promise.all([
      readPartitions(sql),
      readHistory(sql),
      readHead(sql),
      query<{ name: string; bytes: bigint }>(sql, READ_SIZES),
      query<{ name: string; holder: string; age: number; state: string | null }>(sql, READ_LEASES),
    ]);
    const rangeOf = async ({ from, to }: (typeof partitions)[number]) => ({
      ...{ from, bytes: await readBytes(sql, from) },
      ...(to !== undefined && { to: to - 1 }),
    });
    const tables = sizes.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
    return {
      head: head?.seqno,
      headTime: head?.shards[0]?.time,
      transactionCount: (head?.transactionCount ?? 0n) + history.transactions,
      bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
      tables,
      ...{ firstSeqno: history.firstSeqno, beginsAt: history.beginsAt },
      partitions: await Promise.all(partitions.map(rangeOf)),
      leases: leases.map(({ name, holder, age, state }) => ({ name, holder, age, ...(state !== null && { state }) })),
    };
  });
}
