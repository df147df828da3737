/** Partitions of the large tables: ranges of steps, of which the last one has no end. */
import { connect, type Queryable, query } from "../client.ts";
import { requireSchema } from "../migrate.ts";
import { patiently, removeLimits } from "../partition-limits.ts";
import { codeOf, storeError } from "../store-error.ts";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";
import {
  addLimit,
  closeLimitedPartition,
  closePartition,
  limitName,
  partitionName,
  READ_BOUNDS,
  READ_BYTES,
  READ_ROW_BYTES,
  READ_TOP,
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
/** Milliseconds of attempts to lock the tables. */
export const PATIENCE = 30_000;
const SPLIT_TRIES = 10;
/** A partition is two tables: of one that is dropped meanwhile, only one may have been read. */
const BOUNDS_TRIES = 3;
/** Bytes of rows that are read in some milliseconds, while the tables are locked. */
const FEW_BYTES = 8 * 2 ** 20;
/** Rows above, or what another process has made or removed: a limit, a partition, an overlapping one. */
const LOST_RACES = new Set(["23514", "22012", "42704", "42710", "42P01", "42P07", "42P17"]);

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

/** What partitions there should be. */
export interface PartitionPlan {
  /** The number of steps of each. */
  readonly every: number;
  /** A partition is made after this step. */
  readonly last: number;
  /** Milliseconds of attempts to lock the tables, of which there is one at least; default: 30,000. */
  readonly patience?: number;
}

/**
 * Makes partitions of `every` steps, up to and including the one after step `last`. Those that have rows are closed above them. Readers
 * wait for an attempt to lock the tables, a tenth of a second at most, and for the change itself, some milliseconds. Several processes
 * may call it at the same time. One that is killed may leave a limit above which no step is written: the next writer that opens the index
 * removes it.
 *
 * @throws PostgresStoreError `slow` if the tables are in use by others all the time, such as a long query.
 *
 * @example
 * await partitionSteps({ url: "postgres://indexer@localhost/chain" }, { every: 1_000_000, last: 3_000_000 });
 */
export async function partitionSteps(
  connection: PostgresConnection,
  { every, last, patience = PATIENCE }: PartitionPlan,
): Promise<PartitionedSteps> {
  const sql = connect({ ...connection, connections: 1 }, "migration");
  try {
    await requireSchema(sql);
    for (let tried = 1; ; ) {
      const partitions = await readPartitions(sql);
      const [row] = await query<{ top: number }>(sql, READ_TOP);
      const openFrom = partitions.at(-1)?.from ?? 0;
      const isFull = partitions.length >= MOST_PARTITIONS;
      if (isFull || openFrom > last) return { openFrom, isFull };
      const at = every * (Math.floor(Math.max(row?.top ?? 0, openFrom) / every) + 1);
      try {
        await split(sql, openFrom, at, patience);
      } catch (cause) {
        if (!LOST_RACES.has(codeOf(cause) ?? "") || tried++ === SPLIT_TRIES) throw cause;
      }
    }
  } catch (cause) {
    throw storeError(cause, connection);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Each change is one message, which PostgreSQL executes whole or not at all, also for a process that is stopped. */
async function split(sql: Queryable, from: number, at: number, patience: number): Promise<void> {
  const change = (text: string) => patiently(() => sql.unsafe(text), patience);
  const names = [partitionName("transactions", from), partitionName("account_versions", from)];
  const [row] = await query<{ bytes: bigint }>(sql, READ_ROW_BYTES, names);
  if (Number(row?.bytes ?? 0) <= FEW_BYTES) {
    await removeLimits(sql, patience);
    await change(closePartition(from, at));
    return;
  }
  const own = limitName(at);
  if (!(await removeLimits(sql, patience, (name) => name !== own))) await change(addLimit(from, at));
  try {
    await change(validateLimit(from, at));
    await change(closeLimitedPartition(from, at));
  } catch (cause) {
    // With a lock that was not free, the next attempt goes on from here.
    if (!(cause instanceof PostgresStoreError)) await removeLimits(sql, patience, (name) => name === own);
    throw cause;
  }
}
