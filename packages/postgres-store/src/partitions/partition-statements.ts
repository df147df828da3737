/** Statements that list, make and drop partitions. */
import { BEFORE_FIRST_CHANGE } from "../database/history-row.ts";

/** The bounds of all partitions of the two large tables, without partitions that are dropped meanwhile. OFFSET: reads each bound once. */
export const READ_BOUNDS = `SELECT i.inhparent::regclass::text AS "table", bounds
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds OFFSET 0) AS read
  WHERE i.inhparent IN ('transactions'::regclass, 'account_versions'::regclass) AND bounds IS NOT NULL`;
/** Waits for locks of the tables. NULL if one was dropped. $1, $2: their names. */
export const READ_BYTES =
  "SELECT (pg_total_relation_size(to_regclass($1::text)) + pg_total_relation_size(to_regclass($2::text)))::int8 AS bytes";

/** The newest step that may have rows. */
export const READ_TOP = "SELECT coalesce(max(seqno), 0) AS top FROM head";

/** Bytes of rows, without indexes. $1, $2: the tables. */
export const READ_ROW_BYTES =
  "SELECT (pg_relation_size(to_regclass($1::text)) + pg_relation_size(to_regclass($2::text)))::int8 AS bytes";

export const SAVEPOINT = "SAVEPOINT before_lock";
export const ROLLBACK_TO_SAVEPOINT = "ROLLBACK TO SAVEPOINT before_lock";

const TABLES = ["transactions", "account_versions"] as const;
type Table = (typeof TABLES)[number];

/** The partition of a table that begins with a step. */
function partitionName(table: Table, from: number): string {
  return `${table}_from_${from}`;
}

function ofBoth(statement: (table: Table) => string): string {
  return TABLES.map(statement).join("; ");
}

/**
 * Locks out vacuums, but neither readers nor writers. PostgreSQL ends an automatic vacuum that blocks the lock after `deadlock_timeout`, a
 * second by default, so the lock timeout is longer.
 */
export function keepVacuumOut(from: number): string {
  return `SET LOCAL lock_timeout = 2000; LOCK TABLE ${partitionNames(from).join(", ")} IN SHARE UPDATE EXCLUSIVE MODE;
    SET LOCAL lock_timeout TO DEFAULT`;
}

/**
 * Locks the two tables and one partition of each until the end of the transaction. Other statements queue behind a lock that waits, so all
 * locks together have a timeout of 100 ms. The statements after it in the same message take no further lock that may wait for long.
 * PostgreSQL ends the transaction of a process that is stopped before COMMIT after a second.
 */
function lockPartition(from: number): string {
  return `SET LOCAL idle_in_transaction_session_timeout = 1000; ${keepVacuumOut(from)}; SET LOCAL statement_timeout = 100;
    LOCK TABLE ONLY transactions, ONLY account_versions, ${partitionNames(from).join(", ")} IN ACCESS EXCLUSIVE MODE;
    SET LOCAL statement_timeout TO DEFAULT; SET LOCAL lock_timeout = 10`;
}

/** The partitions of both tables that begin with a step. */
export function partitionNames(from: number): string[] {
  return TABLES.map((table) => partitionName(table, from));
}

/** The name has the step, so that processes that close a partition at different steps do not use each other's limit. */
export function limitName(to: number): string {
  return `below_${to}`;
}

/** Adds a CHECK constraint that refuses new rows above a step. Does not read existing rows, and locks only the partition. */
export function addLimit(from: number, to: number): string {
  return `${lockOnly(from)}; ${ofBoth(
    (table) => `ALTER TABLE ${partitionName(table, from)}
      ADD CONSTRAINT ${limitName(to)} CHECK (mc_seqno IS NOT NULL AND mc_seqno >= ${from} AND mc_seqno < ${to}) NOT VALID`,
  )}`;
}

/** CHECK constraints of partitions that are being closed, or whose closing was interrupted. */
export const READ_LIMITS = `SELECT c.conrelid::regclass::text AS "table", c.conname AS name FROM pg_constraint c
  JOIN pg_inherits i ON i.inhrelid = c.conrelid
  WHERE i.inhparent IN ('transactions'::regclass, 'account_versions'::regclass) AND c.conname LIKE 'below\\_%'`;

/** Removes these constraints. Locks only their tables. */
export function dropLimits(limits: readonly { readonly table: string; readonly name: string }[]): string {
  const drop = limits.map(({ table, name }) => `ALTER TABLE IF EXISTS ${table} DROP CONSTRAINT IF EXISTS ${name}`);
  return `SET LOCAL lock_timeout = 50; ${drop.join("; ")}`;
}

/** Reads all rows under a lock that blocks neither readers nor writers. */
export function validateLimit(from: number, to: number): string {
  const validate = (table: Table) => `ALTER TABLE ${partitionName(table, from)} VALIDATE CONSTRAINT ${limitName(to)}`;
  return `${keepVacuumOut(from)}; ${ofBoth(validate)}`;
}

function lockOnly(from: number): string {
  return `${keepVacuumOut(from)}; SET LOCAL statement_timeout = 100; LOCK TABLE ${partitionNames(from).join(", ")} IN ACCESS EXCLUSIVE MODE;
    SET LOCAL statement_timeout TO DEFAULT`;
}

/** Closes the open partition and makes the next one. Reads the rows under the lock. */
export function closePartition(from: number, to: number): string {
  return `${lockPartition(from)}; ${close(from, to)}`;
}

/** Closes a partition that has a valid limit, without reading its rows. Divides by zero if another process has removed the limit. */
export function closeLimitedPartition(from: number, to: number): string {
  const oids = TABLES.map((table) => `'${partitionName(table, from)}'::regclass`).join(", ");
  return `${lockPartition(from)}; SELECT 1 / (count(*) = 2)::int4 FROM pg_constraint
    WHERE conname = '${limitName(to)}' AND convalidated AND conrelid IN (${oids});
    ${close(from, to)}; ${ofBoth((table) => `ALTER TABLE ${partitionName(table, from)} DROP CONSTRAINT ${limitName(to)}`)}`;
}

function close(from: number, to: number): string {
  return ofBoth(
    (table) => `ALTER TABLE ${table} DETACH PARTITION ${partitionName(table, from)};
      ALTER TABLE ${table} ATTACH PARTITION ${partitionName(table, from)} FOR VALUES FROM (${from}) TO (${to});
      CREATE TABLE ${partitionName(table, to)} PARTITION OF ${table} FOR VALUES FROM (${to}) TO (MAXVALUE)
        WITH (toast_tuple_target = 8160)`,
  );
}

/** Copies the newest version of each account of a partition to `account_base`. */
export function copyVersions(from: number): string {
  return `INSERT INTO account_base (account, mc_seqno, record)
    SELECT DISTINCT ON (account) account, mc_seqno, record FROM ${partitionName("account_versions", from)}
    ORDER BY account, mc_seqno DESC
    ON CONFLICT (account) DO UPDATE SET mc_seqno = excluded.mc_seqno, record = excluded.record`;
}

export function dropPartition(from: number): string {
  return `${lockPartition(from)}; DROP TABLE ${partitionNames(from).join(", ")}`;
}

/** Count and digest of the rows of `account_base`, without states before first changes. @param from - Only accounts of this partition. */
export function sumBase(from?: number): string {
  const ofPartition =
    from === undefined ? "" : ` AND account IN (SELECT account FROM ${partitionName("account_versions", from)})`;
  return `SELECT count(*)::int8 AS accounts,
    coalesce(bit_xor(('x' || encode(substr(sha256(account || int4send(mc_seqno) || record), 1, 8), 'hex'))::bit(64)::int8), 0)::int8
    AS digest FROM account_base WHERE mc_seqno <> ${BEFORE_FIRST_CHANGE}${ofPartition}`;
}

/** Writers of steps go on: they lock the row FOR KEY SHARE. */
export const READ_FENCED_HISTORY = "SELECT first_seqno, epoch, accounts, digest FROM history WHERE id = 1 FOR NO KEY UPDATE";
/** Afterwards, a process with a lower epoch changes nothing: its epoch is not that of READ_FENCED_HISTORY, which locks the row. */
export const FENCE_HISTORY = "UPDATE history SET epoch = $1 WHERE id = 1 AND epoch < $1";
export const MOVE_HISTORY = `UPDATE history SET first_seqno = $1, end_lt = $2, accounts = $3, digest = $4
  WHERE id = 1`;
