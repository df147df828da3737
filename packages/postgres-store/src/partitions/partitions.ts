/**
 * Partitions of the large tables by ranges of steps. The last range has no end. It is closed at a step above its newest row:
 *
 *   open     → closed    It is small: one transaction looks at all its rows while the tables are locked, and makes the next open one.
 *            → limited   It is large: a CHECK constraint that is not validated yet refuses rows above the step.
 *   limited  → limited   PostgreSQL validates the constraint, and rows up to the step are written meanwhile.
 *            → closed    The constraint is valid, so that one transaction closes it without looking at rows.
 *            → open      The constraint is removed: a row above it was written before, another process was first, or a writer opens the index
 *                        after a process that was killed. After a lock timeout it stays for the next attempt.
 *   closed   → dropped   `dropHistory` drops the oldest ones, both tables in one transaction.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Queryable, query } from "../database/client.ts";
import { codeOf } from "../database/store-error.ts";
import { withIndex } from "../migrate.ts";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";
import {
  addLimit,
  closeLimitedPartition,
  closePartition,
  dropLimits,
  limitName,
  partitionNames,
  READ_BOUNDS,
  READ_BYTES,
  READ_LIMITS,
  READ_ROW_BYTES,
  READ_TOP,
  validateLimit,
} from "./partition-statements.ts";

/** Steps whose transactions and versions of accounts can be dropped together. */
interface Partition {
  readonly from: number;
  /** The first step that is not in it; undefined for the open one, the last. */
  readonly to: number | undefined;
}

/** A read of an account may look into each of them. */
const MOST_PARTITIONS = 24;
/** Milliseconds for attempts to lock the tables. */
export const LOCK_TIMEOUT = 30_000;
const SPLIT_TRIES = 10;
/** A partition has two tables; a read while it is dropped may see only one of them. */
const BOUNDS_TRIES = 3;
/** Bytes of rows that PostgreSQL reads in some milliseconds, while the tables are locked. */
const FEW_BYTES = 8 * 2 ** 20;
/** New rows above the limit, or a limit or partition that another process has made or removed. */
const LOST_RACES = new Set(["23514", "22012", "42704", "42710", "42P01", "42P07", "42P17"]);

/** @throws PostgresStoreError if the two tables do not have the same partitions. */
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

/** Bytes of a partition of both tables, with indexes. */
export async function readBytes(sql: Queryable, from: number): Promise<number> {
  return bytesOf(sql, READ_BYTES, from);
}

async function bytesOf(sql: Queryable, statement: string, from: number): Promise<number> {
  const [row] = await query<{ bytes: bigint }>(sql, statement, partitionNames(from));
  return Number(row?.bytes ?? 0);
}

/** The partitions after `partitionSteps`. */
export interface PartitionedSteps {
  /** The first step of the open partition. When it is written, the next partition is due. */
  readonly openFrom: number;
  /** Whether the number of partitions is at its limit, so that the open one grows. */
  readonly isFull: boolean;
}

/** The partitions to make. */
export interface PartitionPlan {
  /** Steps of each partition. */
  readonly every: number;
  /** The open partition begins after this step. */
  readonly last: number;
  /** Milliseconds for attempts to lock the tables, at least one; default: 30,000. */
  readonly lockTimeout?: number;
}

/**
 * Makes partitions of `every` steps, up to and including the one after step `last`. Closes a partition with rows above its newest row.
 * Readers wait at most 100 ms for an attempt to lock the tables, and some milliseconds for the change itself. Several processes may call it
 * at the same time. A process that is killed may leave a limit above which no step can be written; the next writer that opens the index
 * removes it.
 *
 * @throws PostgresStoreError `slow` if the tables are in use until the lock timeout, such as by a long query.
 *
 * @example
 * await partitionSteps({ url: "postgres://indexer@localhost/chain" }, { every: 1_000_000, last: 3_000_000 });
 */
export async function partitionSteps(
  connection: PostgresConnection,
  { every, last, lockTimeout = LOCK_TIMEOUT }: PartitionPlan,
): Promise<PartitionedSteps> {
  return withIndex({ ...connection, connections: 1 }, "migration", async (sql) => {
    for (let tried = 1; ; ) {
      const partitions = await readPartitions(sql);
      const [row] = await query<{ top: number }>(sql, READ_TOP);
      const openFrom = partitions.at(-1)?.from ?? 0;
      const isFull = partitions.length >= MOST_PARTITIONS;
      if (isFull || openFrom > last) return { openFrom, isFull };
      const at = every * (Math.floor(Math.max(row?.top ?? 0, openFrom) / every) + 1);
      try {
        await split(sql, openFrom, at, lockTimeout);
      } catch (cause) {
        if (!LOST_RACES.has(codeOf(cause) ?? "") || tried++ === SPLIT_TRIES) throw cause;
      }
    }
  });
}

/** Sends each change as one simple query, which PostgreSQL executes as one transaction, even if this process is stopped. */
async function split(sql: Queryable, from: number, at: number, lockTimeout: number): Promise<void> {
  const change = (text: string) => retryWhileLocked(() => sql.unsafe(text), lockTimeout);
  if ((await bytesOf(sql, READ_ROW_BYTES, from)) <= FEW_BYTES) {
    await removeLimits(sql, lockTimeout);
    await change(closePartition(from, at));
    return;
  }
  const own = limitName(at);
  if (!(await removeLimits(sql, lockTimeout, (name) => name !== own))) await change(addLimit(from, at));
  try {
    await change(validateLimit(from, at));
    await change(closeLimitedPartition(from, at));
  } catch (cause) {
    // After a lock timeout, the constraint stays for the next attempt.
    if (!(cause instanceof PostgresStoreError)) await removeLimits(sql, lockTimeout, (name) => name === own);
    throw cause;
  }
}

/** Removes the CHECK constraints of interrupted splits. Returns whether others remain. */
export async function removeLimits(
  sql: Queryable,
  lockTimeout: number,
  isRemoved: (name: string) => boolean = () => true,
): Promise<boolean> {
  const limits = await query<{ table: string; name: string }>(sql, READ_LIMITS);
  const removed = limits.filter(({ name }) => isRemoved(name));
  if (removed.length > 0) await retryWhileLocked(() => sql.unsafe(dropLimits(removed)), lockTimeout);
  return removed.length < limits.length;
}

/** A lock timeout, the statement timeout of a lock, a deadlock. */
const LOCKED = new Set(["55P03", "57014", "40P01"]);

/** Retries until the locks are free. Statements of others run between two attempts. */
export async function retryWhileLocked(
  attempt: () => Promise<unknown>,
  lockTimeout: number,
  afterFailure: () => Promise<unknown> = async () => {},
): Promise<void> {
  const end = performance.now() + lockTimeout;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (cause) {
      if (!LOCKED.has(codeOf(cause) ?? "")) throw cause;
      if (performance.now() >= end)
        throw new PostgresStoreError("slow", "transactions and account_versions are in use, by a long query or a vacuum");
      await afterFailure();
      await sleep(100 + 200 * Math.random());
    }
  }
}
