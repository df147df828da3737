import type { Step } from "@chain-query/chain-store";
import { type DatabaseTemplate, type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { onTestFinished } from "vitest";
import { connect, type Database } from "../src/client.ts";
import {
  migrate,
  openPostgresReader,
  openPostgresWriter,
  type PostgresConnection,
  type PostgresReader,
  type WriterOptions,
} from "../src/index.ts";
import type { ProducedSteps } from "./produced-steps.ts";

/** A database for the current test, empty or a copy of a template. */
export async function emptyDatabase(template?: DatabaseTemplate): Promise<PostgresConnection> {
  const databases = await sharedPostgres();
  const url = await databases.createDatabase(template);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") return;
    const name = new URL(url).pathname.slice(1);
    await withDatabase({ url: databases.urlOf("postgres") }, (sql) => sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`));
  });
  return { url };
}

/** A database with the schema, for the current test. */
export function emptyIndex(): Promise<PostgresConnection> {
  return emptyDatabase({ name: "index_without_chain", fill: async (url) => void (await migrate({ url })) });
}

/** An index with the first steps of a chain, for the current test. */
export function copiedIndex(chain: ProducedSteps, count: number = chain.steps.length): Promise<PostgresConnection> {
  return emptyDatabase(indexTemplate(chain, count));
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

/** An index with the first steps of a chain, on the shared server or on another one. */
export async function newIndex(
  chain: ProducedSteps,
  count: number = chain.steps.length,
  databases?: PostgresDatabases,
): Promise<PostgresConnection> {
  return { url: await (databases ?? (await sharedPostgres())).createDatabase(indexTemplate(chain, count)) };
}

function indexTemplate(chain: ProducedSteps, count: number): DatabaseTemplate {
  const fill = async (url: string) => {
    await migrate({ url });
    await writeSteps({ url }, chain, count === 0 ? [] : [chain.steps.slice(0, count)]);
  };
  return { name: `${chain.name}_${count}`, fill };
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
