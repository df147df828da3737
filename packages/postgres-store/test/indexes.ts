import type { Step } from "@chain-query/chain-store";
import { type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { onTestFinished } from "vitest";
import { connect, type Database } from "../src/connection.ts";
import {
  migrate,
  openPostgresReader,
  openPostgresWriter,
  type PostgresConnection,
  type PostgresReader,
  type WriterOptions,
} from "../src/index.ts";
import type { ProducedSteps } from "./produced-steps.ts";

/** Databases of this file's finished tests. */
const free: string[] = [];

/** A database without tables, for the current test. */
export async function emptyDatabase(): Promise<PostgresConnection> {
  const connection = { url: free.pop() ?? (await (await sharedPostgres()).createDatabase()) };
  onTestFinished(({ task }) => {
    if (task.result?.state !== "fail") free.push(connection.url);
  });
  await withDatabase(connection, async (sql) => {
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await sql.unsafe("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  });
  return connection;
}

/** A database with the schema, for the current test. */
export async function emptyIndex(): Promise<PostgresConnection> {
  const connection = await emptyDatabase();
  await migrate(connection);
  return connection;
}

/** An index with some steps, for the current test; each element is one write. */
export async function writtenIndex(
  chain: ProducedSteps,
  writes: readonly (readonly Step[])[],
  options: WriterOptions = {},
): Promise<PostgresConnection> {
  const connection = await emptyIndex();
  await writeSteps(connection, chain, writes, options);
  return connection;
}

/** A new index with some steps in one write, on the shared server or on another one. */
export async function newIndex(
  chain: ProducedSteps,
  steps: readonly Step[] = chain.steps,
  databases?: PostgresDatabases,
): Promise<PostgresConnection> {
  const connection = { url: await (databases ?? (await sharedPostgres())).createDatabase() };
  await migrate(connection);
  await writeSteps(connection, chain, steps.length === 0 ? [] : [steps]);
  return connection;
}

async function writeSteps(
  connection: PostgresConnection,
  { genesis }: ProducedSteps,
  writes: readonly (readonly Step[])[],
  options: WriterOptions = {},
): Promise<void> {
  const writer = await openPostgresWriter(connection, options);
  await writer.begin(genesis);
  for (const steps of writes) await writer.write(steps);
  await writer.close();
}

export async function withDatabase<T>(connection: PostgresConnection, use: (sql: Database) => Promise<T>): Promise<T> {
  const sql = connect(connection, "writer");
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

/** A reader that waits for a busy machine. */
export function openPatientReader({ url }: PostgresConnection): PostgresReader {
  return openPostgresReader({ url, statementTimeout: 60_000 });
}
