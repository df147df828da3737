/** Partitions of the large tables: ranges of steps, of which the last one has no end. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Queryable, query } from "../connection.ts";
import { requireSchema } from "../migrate.ts";
import { codeOf, storeError } from "../store-error.ts";
import { openTransactions, type Transactions } from "../transactions.ts";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";
import {
  addLimit,
  closePartition,
  dropLimit,
  LOCK_TABLES,
  partitionName,
  READ_BOUNDS,
  READ_BYTES,
  READ_TOP,
  ROLLBACK_TO_SAVEPOINT,
  SAVEPOINT,
  SET_LOCK_TIMEOUT,
  validateLimit,
} from "./partition-statements.ts";

/** Steps whose transactions and versions of accounts can be dropped together. */
export interface Partition {
  readonly from: number;
  /** The first step that is not in it; undefined for the open one, the last. */
  readonly to: number | undefined;
}

/** A question about an account may look into each of them. */
const MOST_PARTITIONS = 24;
/** Attempts to lock the tables, each a tenth of a second, with pauses of up to three. */
const LOCK_TRIES = 100;
const SPLIT_TRIES = 10;
/** A partition is two tables: of one that is dropped meanwhile, only one may have been read. */
const BOUNDS_TRIES = 3;
const [CHECK_VIOLATION, UNDEFINED_OBJECT, LOCK_NOT_AVAILABLE] = ["23514", "42704", "55P03"];

/** @throws PostgresStoreError if the two tables do not have the same ones. */
export async function readPartitions(sql: Queryable, tries: number = BOUNDS_TRIES): Promise<readonly Partition[]> {
  const rows = await query<{ table: string; bounds: string }>(sql, READ_BOUNDS);
  const boundsOf = (table: string) => rows.filter((row) => row.table === table).map(({ bounds }) => bounds);
  const [partitions, others] = [boundsOf("transactions"), boundsOf("account_versions")].map(partitionsOf);
  if (partitions !== undefined && JSON.stringify(partitions) === JSON.stringify(others)) return partitions;
  if (tries > 1) return readPartitions(sql, tries - 1);
  throw new PostgresStoreError("damaged", "transactions and account_versions must have the same partitions");
}

/** The partitions of a table, the oldest first, by their bounds as PostgreSQL shows them. */
export function partitionsOf(bounds: readonly string[]): readonly Partition[] {
  return bounds.map(partitionOf).sort((a, b) => a.from - b.from);
}

function partitionOf(bounds: string): Partition {
  const [, from, to] = /^FOR VALUES FROM \((\d+)\) TO \((\d+|MAXVALUE)\)$/.exec(bounds) ?? [];
  if (from === undefined) throw new PostgresStoreError("damaged", `a partition must be a range of steps, got ${bounds}`);
  return { from: Number(from), to: to === "MAXVALUE" ? undefined : Number(to) };
}

/** Of the partition of both tables, with indexes. */
export async function readBytes(sql: Queryable, from: number): Promise<number> {
  const names = [partitionName("transactions", from), partitionName("account_versions", from)];
  const [row] = await query<{ bytes: bigint }>(sql, READ_BYTES, names);
  return Number(row?.bytes ?? 0);
}

/** What `partitionSteps` leaves. */
export interface PartitionedSteps {
  /** The first step of the open partition: when it is written, another one is due. */
  readonly openFrom: number;
  /** Whether there are as many as there may be, so that the open one grows. */
  readonly isFull: boolean;
}

/**
 * Makes partitions of `every` steps, up to and including the one after step `last`. Those that have rows are closed above them. Readers
 * wait for at most a tenth of a second. Several processes may call it at the same time; one that is killed leaves nothing half done.
 *
 * @example
 * await partitionSteps({ url: "postgres://indexer@localhost/chain" }, { every: 1_000_000, last: 3_000_000 });
 */
export async function partitionSteps(
  connection: PostgresConnection,
  { every, last }: { readonly every: number; readonly last: number },
): Promise<PartitionedSteps> {
  const transactions = openTransactions(connection, "migration");
  try {
    await transactions.run(requireSchema);
    for (let tried = 1; ; ) {
      const { partitions, top } = await transactions.run(readState);
      const openFrom = partitions.at(-1)?.from ?? 0;
      const isFull = partitions.length >= MOST_PARTITIONS;
      if (isFull || openFrom > last) return { openFrom, isFull };
      const at = every * (Math.floor(Math.max(top, openFrom) / every) + 1);
      try {
        await split(transactions, openFrom, at);
      } catch (cause) {
        // A backfill has begun above, or another process has made this partition.
        if (!isLostRace(cause) || tried++ === SPLIT_TRIES) throw cause;
      }
    }
  } catch (cause) {
    throw storeError(cause, connection);
  } finally {
    await transactions.end();
  }
}

async function readState(sql: Queryable): Promise<{ partitions: readonly Partition[]; top: number }> {
  const [row] = await query<{ top: number }>(sql, READ_TOP);
  return { partitions: await readPartitions(sql), top: row?.top ?? 0 };
}

/** Rows above, or a limit that another process has removed. */
function isLostRace(cause: unknown): boolean {
  return [CHECK_VIOLATION, UNDEFINED_OBJECT].includes(codeOf(cause) ?? "");
}

/** Does nothing if the partition is no longer the open one. */
async function split(transactions: Transactions, from: number, at: number): Promise<void> {
  const locked = (change: string) =>
    transactions.run(async (sql) => {
      await lockTables(sql);
      if ((await readPartitions(sql)).at(-1)?.from === from) await sql.unsafe(change);
    });
  await locked(addLimit(from, at));
  try {
    await transactions.run((sql) => sql.unsafe(validateLimit(from)));
  } catch (cause) {
    await locked(dropLimit(from));
    throw cause;
  }
  await locked(closePartition(from, at));
}

/** Locks the tables for the rest of a transaction. Others wait for at most the lock timeout, then have a turn. */
export async function lockTables(sql: Queryable): Promise<void> {
  await sql.unsafe(SET_LOCK_TIMEOUT);
  await sql.unsafe(SAVEPOINT);
  for (let tried = 1; ; tried++) {
    try {
      await sql.unsafe(LOCK_TABLES);
      return;
    } catch (cause) {
      if (codeOf(cause) !== LOCK_NOT_AVAILABLE || tried === LOCK_TRIES) throw cause;
      await sql.unsafe(ROLLBACK_TO_SAVEPOINT);
      await sleep(100 + 200 * Math.random());
    }
  }
}
