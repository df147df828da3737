import { fileURLToPath } from "node:url";
import Postgrator from "postgrator";
import { connect, type Database, type Queryable, query, type Role, refuseTransactionPooler } from "./database/client.ts";
import { codeOf, storeError } from "./database/store-error.ts";
import { openTransactions } from "./database/transactions.ts";
import { type PostgresConnection, PostgresStoreError } from "./types.ts";

/** The version of the schema that this package reads and writes: the number of the last migration. */
export const SCHEMA_VERSION = 1;

const VERSION_TABLE = "index_version";
/** A table that only versions have that were never published, whose other tables differ. */
const OLD_TABLE = "backfill_ranges";

const TRIES = 5;
/** Errors of the second of two concurrent migrations: objects of the first one exist already, or a deadlock. */
const LOST_RACES = new Set(["23505", "42P07", "42710", "42701", "40001", "40P01"]);

/**
 * Makes the tables, or brings the tables of an earlier version up to date. Runs in one transaction, so concurrent calls are safe.
 *
 * @returns The numbers of the migrations that ran.
 * @throws PostgresStoreError if the database cannot be used, or its schema is newer, or of a version that was never published.
 *
 * @example
 * await migrate({ url: "postgres://indexer@localhost/chain" });
 */
export async function migrate(connection: PostgresConnection): Promise<readonly number[]> {
  const transactions = openTransactions(connection, "migration");
  try {
    for (let tried = 1; ; tried++) {
      try {
        return await transactions.run(runMigrations);
      } catch (cause) {
        if (tried === TRIES || !LOST_RACES.has(codeOf(cause) ?? "")) throw cause;
      }
    }
  } catch (cause) {
    throw storeError(cause, connection);
  } finally {
    await transactions.end();
  }
}

async function runMigrations(sql: Queryable): Promise<readonly number[]> {
  await refuseOldIndex(sql);
  const [current] = await query<{ schema: string }>(sql, "SELECT current_schema() AS schema");
  const migrations = new Postgrator({
    driver: "pg",
    migrationPattern: `${globEscaped(fileURLToPath(new URL("../migrations", import.meta.url)))}/*.sql`,
    schemaTable: VERSION_TABLE,
    ...(current && { currentSchema: current.schema }),
    newline: "LF",
    execQuery: async (text) => ({ rows: [...(await sql.unsafe(text))] }),
  });
  const version = await migrations.getDatabaseVersion();
  if (version > SCHEMA_VERSION) throw schemaError(version);
  return (await migrations.migrate()).map((migration) => migration.version);
}

function globEscaped(path: string): string {
  return path.replaceAll("\\", "/").replace(/[[\]()*?{}!]/g, "[$&]");
}

/** Uses the connections to an index, and closes them. @throws PostgresStoreError for all errors of the database. */
export async function withIndex<T>(connection: PostgresConnection, role: Role, use: (sql: Database) => Promise<T>): Promise<T> {
  const sql = connect(connection, role);
  try {
    await requireSchema(sql, connection);
    return await use(sql);
  } catch (cause) {
    throw storeError(cause, connection);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** @throws PostgresStoreError unless the database has the schema of this package, and sessions with it are whole. */
export async function requireSchema(sql: Queryable, connection: PostgresConnection): Promise<void> {
  await refuseTransactionPooler(sql, connection);
  await refuseOldIndex(sql);
  const version = await schemaVersion(sql);
  if (version !== SCHEMA_VERSION) throw schemaError(version);
}

async function schemaVersion(sql: Queryable): Promise<number> {
  try {
    // Once in a session, so it is not prepared.
    const rows = await sql.unsafe<{ version: bigint }[]>(`SELECT version FROM ${VERSION_TABLE} ORDER BY version DESC LIMIT 1`);
    return Number(rows[0]?.version ?? 0);
  } catch (cause) {
    if (codeOf(cause) === "42P01") return 0;
    throw cause;
  }
}

/** @throws PostgresStoreError if the database has tables that no migration changes into those of this version. */
async function refuseOldIndex(sql: Queryable): Promise<void> {
  const [{ old } = { old: null }] = await sql.unsafe<{ old: string | null }[]>(
    `SELECT to_regclass('${OLD_TABLE}')::text AS old`,
  );
  if (old === null) return;
  const message =
    "the database has an index of a version before the first release: run migrate on an empty database, and index the chain again";
  throw new PostgresStoreError("schema", message);
}

function schemaError(version: number): PostgresStoreError {
  if (version === 0) return new PostgresStoreError("schema", "the database has no index: run chain-query-indexer migrate");
  const advice = version < SCHEMA_VERSION ? "run chain-query-indexer migrate" : "use a newer version of this program";
  return new PostgresStoreError(
    "schema",
    `the schema of the database must be version ${SCHEMA_VERSION}, got ${version}: ${advice}`,
  );
}
