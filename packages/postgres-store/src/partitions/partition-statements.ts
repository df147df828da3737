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

/** In milliseconds. Statements that arrive meanwhile wait as long. */
export const SET_LOCK_TIMEOUT = "SET LOCAL lock_timeout = 100";
export const SAVEPOINT = "SAVEPOINT before_lock";
export const ROLLBACK_TO_SAVEPOINT = "ROLLBACK TO SAVEPOINT before_lock";
export const LOCK_TABLES = "LOCK TABLE transactions, account_versions IN ACCESS EXCLUSIVE MODE";

const TABLES = ["transactions", "account_versions"] as const;

/** The partition of a table that begins with a step. */
export function partitionName(table: (typeof TABLES)[number], from: number): string {
  return `${table}_from_${from}`;
}

function ofBoth(statement: (table: (typeof TABLES)[number]) => string): string {
  return TABLES.map(statement).join("; ");
}

/** Promises that no row is above a step. Rows that are there are not read. */
export function addLimit(from: number, to: number): string {
  return ofBoth(
    (table) => `ALTER TABLE ${partitionName(table, from)} DROP CONSTRAINT IF EXISTS below_next_partition,
      ADD CONSTRAINT below_next_partition CHECK (mc_seqno IS NOT NULL AND mc_seqno >= ${from} AND mc_seqno < ${to}) NOT VALID`,
  );
}

/** Reads all rows, under a lock that stops neither readers nor writers. */
export function validateLimit(from: number): string {
  return ofBoth((table) => `ALTER TABLE ${partitionName(table, from)} VALIDATE CONSTRAINT below_next_partition`);
}

export function dropLimit(from: number): string {
  return ofBoth((table) => `ALTER TABLE ${partitionName(table, from)} DROP CONSTRAINT IF EXISTS below_next_partition`);
}

/** Ends the open partition and makes the next one. The valid limit saves reading the rows. */
export function closePartition(from: number, to: number): string {
  return ofBoth(
    (table) => `ALTER TABLE ${table} DETACH PARTITION ${partitionName(table, from)};
      ALTER TABLE ${table} ATTACH PARTITION ${partitionName(table, from)} FOR VALUES FROM (${from}) TO (${to});
      ALTER TABLE ${partitionName(table, from)} DROP CONSTRAINT below_next_partition;
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
  return `DROP TABLE ${TABLES.map((table) => partitionName(table, from)).join(", ")}`;
}

/** What verifies `account_base`. */
export const SUM_BASE = `SELECT count(*)::int8 AS accounts,
  coalesce(bit_xor(('x' || encode(substr(sha256(account || int4send(mc_seqno) || record), 1, 8), 'hex'))::bit(64)::int8), 0)::int8 AS digest FROM account_base`;

/** From now on, processes with a lower epoch change no row with MOVE_HISTORY. */
export const FENCE_HISTORY = "UPDATE history SET epoch = $1 WHERE id = 1 AND epoch < $1";
export const MOVE_HISTORY = `UPDATE history SET first_seqno = $1, end_lt = $2, accounts = $3, digest = $4
  WHERE id = 1 AND first_seqno = $5 AND epoch = $6`;
