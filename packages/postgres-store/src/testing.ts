/** Times parts of the writer, for benchmarks. */
import type { Step } from "@chain-query/chain-store";
import { query } from "./connection.ts";
import { openTransactions, type Transactions } from "./transactions.ts";
import type { PostgresConnection } from "./types.ts";
import { encodeBatch, writeBatch } from "./writing/commit-batch.ts";
import { copyRows, encodeCopy } from "./writing/copy.ts";
import { encodeSteps, rememberCells, TABLES } from "./writing/encode-steps.ts";
import { INSERT_HEAD, MOVE_HEAD } from "./writing/write-statements.ts";

/** As large as the record of a head with two shards. */
const HEAD_RECORD = Buffer.alloc(600);

/**
 * Seconds to COPY the transactions of steps, one commit each, into a table with a primary key. Their bytes are ready before.
 *
 * @param connection - Of an empty database.
 *
 * @example
 * const seconds = await timePlainCopy({ url: "postgres://bench@localhost/empty" }, steps);
 */
export async function timePlainCopy(connection: PostgresConnection, steps: readonly Step[]): Promise<number> {
  return withTransactions(connection, async (transactions) => {
    const columns = TABLES.transactions.columns.map(([name, type]) => `${name} ${type}`).join(", ");
    await transactions.run((sql) => sql.unsafe(`CREATE TABLE transactions (${columns}, PRIMARY KEY (account, lt))`));
    const ready = steps.map((step) => encodeCopy(TABLES.transactions, encodeSteps([step], new Set()).transactions));
    const start = performance.now();
    for (const bytes of ready) await transactions.run((sql) => copyRows(sql, TABLES.transactions, bytes));
    return (performance.now() - start) / 1000;
  });
}

/**
 * Seconds to write all rows of steps and the head, one commit each. Their bytes are ready before.
 *
 * @param connection - Of an index without a chain.
 *
 * @example
 * await migrate(connection);
 * const seconds = await timeCommits(connection, steps);
 */
export async function timeCommits(connection: PostgresConnection, steps: readonly Step[]): Promise<number> {
  return withTransactions(connection, async (transactions) => {
    await transactions.run((sql) => query(sql, INSERT_HEAD, [1n, HEAD_RECORD]));
    const known = new Set<string>();
    const ready = steps.map((step) => {
      const batch = encodeSteps([step], known);
      rememberCells(known, batch);
      return encodeBatch(batch);
    });
    const start = performance.now();
    for (const [i, encoded] of ready.entries()) {
      await transactions.run(async (sql) => {
        await writeBatch(sql, encoded, false);
        await query(sql, MOVE_HEAD, [i + 1, HEAD_RECORD, i, 1n]);
      });
    }
    return (performance.now() - start) / 1000;
  });
}

async function withTransactions(
  connection: PostgresConnection,
  use: (transactions: Transactions) => Promise<number>,
): Promise<number> {
  const transactions = openTransactions(connection, "writer");
  try {
    return await use(transactions);
  } finally {
    await transactions.end();
  }
}
