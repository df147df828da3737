/** Statements that make, list and drop partitions. Only PostgreSQL has all of them, so the rules for the SQL of all engines do not hold. */

/** The bounds of all partitions of the two large tables. One that is dropped meanwhile has none. OFFSET: they are read once. */
export const READ_BOUNDS = `SELECT i.inhparent::regclass::text AS "table", bounds
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds OFFSET 0) AS read
  WHERE i.inhparent IN ('transactions'::regclass, 'account_versions'::regclass) AND bounds IS NOT NULL`;
/** Waits for locks of the tables. NULL if one was dropped. $1, $2: their names. */
export const READ_BYTES =
  "SELECT (pg_total_relation_size(to_regclass($1::text)) + pg_total_relation_size(to_regclass($2::text)))::int8 AS bytes";

/** The newest step of which a row may be there. */
export const READ_TOP = `SELECT greatest((SELECT max(seqno) FROM head),
  (SELECT max(last_seqno) FROM backfill_ranges WHERE next_seqno > first_seqno), 0) AS top`;

/** Bytes of rows. $1, $2: the tables. */
export const READ_ROW_BYTES =
  "SELECT (pg_relation_size(to_regclass($1::text)) + pg_relation_size(to_regclass($2::text)))::int8 AS bytes";

export const SAVEPOINT = "SAVEPOINT before_lock";
export const ROLLBACK_TO_SAVEPOINT = "ROLLBACK TO SAVEPOINT before_lock";

const TABLES = ["transactions", "account_versions"] as const;
type Table = (typeof TABLES)[number];

/** The partition of a table that begins with a step. */
export function partitionName(table: Table, from: number): string {
  return `${table}_from_${from}`;
}

function ofBoth(statement: (table: Table) => string): string {
  return TABLES.map(statement).join("; ");
}

/**
 * Keeps vacuums out, by ending an automatic one, which takes a second. Stops neither readers nor writers. The lock timeout is larger than
 * `deadlock_timeout`, after which PostgreSQL ends the vacuum.
 */
export function keepVacuumOut(from: number): string {
  return `SET LOCAL lock_timeout = 2000; LOCK TABLE ${bothNames(from)} IN SHARE UPDATE EXCLUSIVE MODE;
    SET LOCAL lock_timeout TO DEFAULT`;
}

/**
 * Locks the two tables and one partition of each, for the rest of a transaction. Statements that arrive meanwhile wait too, so all locks
 * together have a tenth of a second. What comes in the same message needs no other lock that may be taken for long. A process that is
 * stopped before COMMIT loses the locks after a second.
 */
export function lockPartition(from: number): string {
  return `SET LOCAL idle_in_transaction_session_timeout = 1000; ${keepVacuumOut(from)}; SET LOCAL statement_timeout = 100;
    LOCK TABLE ONLY transactions, ONLY account_versions, ${bothNames(from)} IN ACCESS EXCLUSIVE MODE;
    SET LOCAL statement_timeout TO DEFAULT; SET LOCAL lock_timeout = 10`;
}

function bothNames(from: number): string {
  return TABLES.map((table) => partitionName(table, from)).join(", ");
}

/** With the step in its name: processes that close a partition at different steps do not use each other's limit. */
export function limitName(to: number): string {
  return `below_${to}`;
}

/** Promises that no row is above a step. Rows that are there are not read. Locks only the partition. */
export function addLimit(from: number, to: number): string {
  return `${lockOnly(from)}; ${ofBoth(
    (table) => `ALTER TABLE ${partitionName(table, from)}
      ADD CONSTRAINT ${limitName(to)} CHECK (mc_seqno IS NOT NULL AND mc_seqno >= ${from} AND mc_seqno < ${to}) NOT VALID`,
  )}`;
}

/** Reads all rows, under a lock that stops neither readers nor writers. */
export function validateLimit(from: number, to: number): string {
  const validate = (table: Table) => `ALTER TABLE ${partitionName(table, from)} VALIDATE CONSTRAINT ${limitName(to)}`;
  return `${keepVacuumOut(from)}; ${ofBoth(validate)}`;
}

function lockOnly(from: number): string {
  return `${keepVacuumOut(from)}; SET LOCAL statement_timeout = 100; LOCK TABLE ${bothNames(from)} IN ACCESS EXCLUSIVE MODE;
    SET LOCAL statement_timeout TO DEFAULT`;
}

/** Ends the open partition and makes the next one. Its rows are read under the lock. */
export function closePartition(from: number, to: number): string {
  return `${lockPartition(from)}; ${close(from, to)}`;
}

/** The same with a valid limit, which saves reading the rows. Divides by zero if another process has removed it. */
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

/** Keeps the newest version of each account in a partition. */
export function carryVersions(from: number): string {
  return `INSERT INTO account_base (account, mc_seqno, record)
    SELECT DISTINCT ON (account) account, mc_seqno, record FROM ${partitionName("account_versions", from)}
    ORDER BY account, mc_seqno DESC
    ON CONFLICT (account) DO UPDATE SET mc_seqno = excluded.mc_seqno, record = excluded.record`;
}

export function dropPartition(from: number): string {
  return `${lockPartition(from)}; DROP TABLE ${bothNames(from)}`;
}

/** Sums up the rows of `account_base` of the accounts in a partition. `verify` does the same of all rows. */
export function sumBase(from: number): string {
  return `SELECT count(*)::int8 AS accounts,
    coalesce(bit_xor(('x' || encode(substr(sha256(account || int4send(mc_seqno) || record), 1, 8), 'hex'))::bit(64)::int8), 0)::int8
    AS digest FROM account_base WHERE account IN (SELECT account FROM ${partitionName("account_versions", from)})`;
}

/** What is changed with MOVE_HISTORY. */
export const READ_FENCED_HISTORY = "SELECT first_seqno, epoch, accounts, digest FROM history WHERE id = 1";
/** From now on, processes with a lower epoch change no row with MOVE_HISTORY. */
export const FENCE_HISTORY = "UPDATE history SET epoch = $1 WHERE id = 1 AND epoch < $1";
export const MOVE_HISTORY = `UPDATE history SET first_seqno = $1, end_lt = $2, accounts = $3, digest = $4
  WHERE id = 1 AND first_seqno = $5 AND epoch = $6`;
