/** Statements that only PostgreSQL has: the rules for the SQL of all engines do not hold for them. */

/**
 * Ends the transactions of writers whose process or machine is stopped: others would wait for rows that they neither commit nor take
 * back. Not every engine can do this, so an error is no fault. No timeout of PostgreSQL ends a COPY that waits for its client. Parameters: a pattern of their names, and the seconds of a lease.
 */
export const END_STOPPED = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name LIKE $1 AND pid <> pg_backend_pid()
  AND xact_start IS NOT NULL AND wait_event = 'ClientRead' AND state_change < now() - $2::int4 * INTERVAL '0.5 second'`;

/** A distributed engine has functions of its own for the sizes of shards. */
export const READ_SIZES = `SELECT coalesce(p.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid))::int8 AS bytes
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  GROUP BY 1 ORDER BY 2 DESC, 1`;

/** Limits of partitions that are being closed, or whose closing was killed. */
export const READ_LIMITS = `SELECT c.conrelid::regclass::text AS "table", c.conname AS name FROM pg_constraint c
  JOIN pg_inherits i ON i.inhrelid = c.conrelid
  WHERE i.inhparent IN ('transactions'::regclass, 'account_versions'::regclass) AND c.conname LIKE 'below\\_%'`;

/** Removes limits from tables, which are all that is locked. */
export function dropLimits(limits: readonly { readonly table: string; readonly name: string }[]): string {
  const drop = limits.map(({ table, name }) => `ALTER TABLE IF EXISTS ${table} DROP CONSTRAINT IF EXISTS ${name}`);
  return `SET LOCAL lock_timeout = 50; ${drop.join("; ")}`;
}
