import type { Step } from "@chain-query/chain-store";
import type { PostgresServer } from "@chain-query/test-services";
import { connect, type Database } from "../src/connection.ts";
import { migrate, openPostgresWriter, type PostgresConnection, type WriterOptions } from "../src/index.ts";
import type { ProducedSteps } from "./produced-steps.ts";

/** A new database with the schema. */
export async function emptyIndex(server: PostgresServer): Promise<PostgresConnection> {
  const connection = { url: await server.createDatabase() };
  await migrate(connection);
  return connection;
}

/** A new index with some steps; each element is one write. */
export async function writtenIndex(
  server: PostgresServer,
  { genesis }: ProducedSteps,
  writes: readonly (readonly Step[])[],
  options: WriterOptions = {},
): Promise<PostgresConnection> {
  const connection = await emptyIndex(server);
  const writer = await openPostgresWriter(connection, options);
  await writer.begin(genesis);
  for (const steps of writes) await writer.write(steps);
  await writer.close();
  return connection;
}

export async function withDatabase<T>(connection: PostgresConnection, use: (sql: Database) => Promise<T>): Promise<T> {
  const sql = connect(connection, "writer");
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}
