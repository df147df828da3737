/** Parts of the writer and of the reader, for benchmarks. */
import { type AccountId, accountKey, type Step } from "@chain-query/chain-store";
import { query } from "./client.ts";
import { Connection } from "./connection.ts";
import { selectTransactions } from "./reading/read-statements.ts";
import { openTransactions, type Transactions } from "./transactions.ts";
import type { PostgresConnection } from "./types.ts";
import { type EncodedBatch, encodeBatch, writeBatch } from "./writing/commit-batch.ts";
import { copyRows, encodeCopy } from "./writing/copy.ts";
import { encodeSteps, rememberCells, TABLES } from "./writing/encode-steps.ts";
import { INSERT_HEAD, MOVE_HEAD } from "./writing/write-statements.ts";

export { selectTransactions } from "./reading/read-statements.ts";

/** As large as the record of a head with two shards. */
const HEAD_RECORD = Buffer.alloc(600);

/** Runs what is measured, and returns its cost. */
export type Measure<Cost> = (run: () => Promise<void>) => Promise<Cost>;

/**
 * Measures a COPY of the transactions of steps, one commit each, into a table with a primary key. Their bytes are ready before.
 *
 * @param connection - Of an empty database.
 *
 * @example
 * const cost = await measurePlainCopy({ url: "postgres://bench@localhost/empty" }, steps, measure);
 */
export async function measurePlainCopy<Cost>(
  connection: PostgresConnection,
  steps: readonly Step[],
  measure: Measure<Cost>,
): Promise<Cost> {
  return withTransactions(connection, async (transactions) => {
    const columns = TABLES.transactions.columns.map(([name, type]) => `${name} ${type}`).join(", ");
    await transactions.run((sql) => sql.unsafe(`CREATE TABLE transactions (${columns}, PRIMARY KEY (account, lt))`));
    const ready = steps.map((step) => encodeCopy(TABLES.transactions, encodeSteps([step], new Set()).transactions));
    return measure(async () => {
      for (const bytes of ready) await transactions.run((sql) => copyRows(sql, TABLES.transactions, bytes));
    });
  });
}

/**
 * Measures writing all rows of steps and the head, one commit each. Their bytes are ready before.
 *
 * @param connection - Of an index without a chain.
 *
 * @example
 * await migrate(connection);
 * const cost = await measureCommits(connection, steps, measure);
 */
export async function measureCommits<Cost>(
  connection: PostgresConnection,
  steps: readonly Step[],
  measure: Measure<Cost>,
): Promise<Cost> {
  return withTransactions(connection, async (transactions) => {
    await transactions.run((sql) => query(sql, INSERT_HEAD, [1n, HEAD_RECORD]));
    const known = new Set<string>();
    const ready: EncodedBatch[] = [];
    for (const step of steps) {
      const batch = encodeSteps([step], known);
      rememberCells(known, batch);
      ready.push(encodeBatch(batch));
    }
    return measure(async () => {
      for (const [i, encoded] of ready.entries()) {
        await transactions.run(async (sql) => {
          await writeBatch(sql, encoded, false);
          await query(sql, MOVE_HEAD, [i + 1, HEAD_RECORD, i, 1n]);
        });
      }
    });
  });
}

/** Reads pages of transactions as the reader does, without decoding them. */
export interface RecordPages {
  /** The number of records. */
  read(account: AccountId, limit: number, at: number): Promise<number>;
  close(): Promise<void>;
}

/**
 * @example
 * const pages = openRecordPages({ url: "postgres://reader@localhost/chain" });
 * await pages.read(account, 10, head);
 */
export function openRecordPages(connection: PostgresConnection): RecordPages {
  const reads = new Connection("database", connection);
  return {
    read: async (account, limit, at) => {
      const records = await reads.records(selectTransactions, [accountKey(account), 2n ** 63n - 1n, 0n, 0, at, limit], at);
      return records.length;
    },
    close: () => reads.close(),
  };
}

async function withTransactions<Cost>(
  connection: PostgresConnection,
  use: (transactions: Transactions) => Promise<Cost>,
): Promise<Cost> {
  const transactions = openTransactions(connection, "writer");
  try {
    return await use(transactions);
  } finally {
    await transactions.end();
  }
}
