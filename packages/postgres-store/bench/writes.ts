/** Transactions per second of whole steps beside a plain COPY of transactions alone, and their bytes on disk. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step, StepAccount, StepGenesis } from "@chain-query/format/store";
import { chainSteps, createChain, openProducer } from "@chain-query/local-chain";
import { migrate, openPostgresWriter, type PostgresConnection, readIndexStatus } from "@chain-query/postgres-store";
import { type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { query } from "../src/database/client.ts";
import { INSERT_HEAD, MOVE_HEAD } from "../src/database/statements.ts";
import { openTransactions, type Transactions } from "../src/database/transactions.ts";
import { encodeSteps, rememberCells, TABLES } from "../src/writing/encode-steps.ts";
import { countTransactions } from "../src/writing/tips.ts";
import { copyRows, type EncodedBatch, encodeBatch, encodeCopy, writeBatch } from "../src/writing/write-batch.ts";
import { type Cost, costOf, costOfEach, cpuOf, medianCost } from "./cost.ts";

const STEPS = 100;
const ROUNDS = 3;
const WAYS = {
  plain: "plain COPY of transactions, bytes ready",
  commits: "whole steps, bytes ready",
  full: "whole steps, from their cells",
  batched: "the same, ten steps a commit",
} as const;
type Way = keyof typeof WAYS;
type Measure = (run: () => Promise<void>) => Promise<Cost>;

/** As large as the record of a head with two shards. */
const HEAD_RECORD = Buffer.alloc(600);

export async function benchWrites(): Promise<void> {
  const chain = await benchChain(STEPS);
  console.log(`writing ${chain.transactions} transactions in ${STEPS} steps, a commit each, medians of ${ROUNDS} rounds\n`);
  await using server = await startPostgres({ fsync: true, settings: { shared_buffers: "256MB", max_wal_size: "4GB" } });
  const measure: Measure = (run) => costOf(server.pid, run);
  const rounds: Record<Way, Cost>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      plain: await measurePlainCopy({ url: await server.createDatabase() }, chain.steps, measure),
      commits: await measureCommits(await emptyIndex(server), chain.steps, measure),
      full: await wholeSteps(server, chain, 1),
      batched: await wholeSteps(server, chain, 10),
    });
  }
  const of = (way: Way): Cost => costOfEach(medianCost(rounds.map((round) => round[way])), chain.transactions);
  console.log(`${"".padEnd(44)} transactions/s   µs of CPU each: Node   PostgreSQL   time, CPU : plain COPY`);
  for (const way of Object.keys(WAYS) as Way[]) {
    const cost = of(way);
    const rate = Math.round(1e6 / cost.time).toLocaleString("en");
    const [time, cpu] = [of("plain").time / cost.time, cpuOf(of("plain")) / cpuOf(cost)].map((value) => value.toFixed(2));
    const figures = `${rate.padStart(14)} ${cost.node.toFixed(0).padStart(22)} ${cost.server.toFixed(0).padStart(12)}`;
    console.log(`${WAYS[way].padEnd(44)} ${figures} ${`${time}, ${cpu}`.padStart(24)}`);
  }
  console.log("goals: whole steps, bytes ready : plain COPY ≥ 0.6; ≥ 5,000 transactions/s on two idle cores");
  await printSizes(server, chain);
}

/** Measures a COPY of transactions, one commit for each step, into a table with a primary key. Their bytes are ready before. */
async function measurePlainCopy(connection: PostgresConnection, steps: readonly Step[], measure: Measure): Promise<Cost> {
  return withTransactions(connection, async (transactions) => {
    const columns = TABLES.transactions.columns.map(([name, type]) => `${name} ${type}`).join(", ");
    await transactions.run((sql) => sql.unsafe(`CREATE TABLE transactions (${columns}, PRIMARY KEY (account, lt))`));
    const ready = steps.map((step) => encodeCopy(TABLES.transactions, encodeSteps([step], new Set()).transactions));
    return measure(async () => {
      for (const bytes of ready) await transactions.run((sql) => copyRows(sql, TABLES.transactions, bytes));
    });
  });
}

/** Measures writing all rows of steps and the head, one commit each, into an index without a chain. Their bytes are ready before. */
async function measureCommits(connection: PostgresConnection, steps: readonly Step[], measure: Measure): Promise<Cost> {
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

async function withTransactions(
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

/** Writes all steps: records of transactions and accounts, blocks, cells, head. */
async function wholeSteps(server: PostgresServer, { genesis, steps }: BenchChain, stepsPerWrite: number): Promise<Cost> {
  const writer = await openPostgresWriter(await emptyIndex(server));
  await writer.begin(genesis);
  const cost = await costOf(server.pid, async () => {
    for (let from = 0; from < steps.length; from += stepsPerWrite) await writer.write(steps.slice(from, from + stepsPerWrite));
  });
  await writer.close();
  return cost;
}

async function printSizes(server: PostgresServer, { genesis, steps, transactions }: BenchChain): Promise<void> {
  const connection = await emptyIndex(server);
  const writer = await openPostgresWriter(connection);
  await writer.begin(genesis);
  const before = await readIndexStatus(connection);
  for (const step of steps) await writer.write([step]);
  const after = await readIndexStatus(connection);
  await writer.close();
  const perTransaction = (bytes: number): string => `${Math.round(bytes / transactions)}`.padStart(8);
  console.log(`\nbytes on disk for each transaction, with indexes`);
  for (const { name, bytes } of after.tables.filter((table) => table.bytes > transactions * 10)) {
    const empty = before.tables.find((table) => table.name === name)?.bytes ?? 0;
    console.log(`${name.padEnd(29)} ${perTransaction(bytes - empty)}`);
  }
  const blocks = steps.reduce((sum, { shards }) => sum + shards.length + 1, 0);
  console.log(`${"all tables".padEnd(29)} ${perTransaction(after.bytes - before.bytes)}     goal ≤ 2,100`);
  console.log(`(${(blocks / transactions).toFixed(2)} blocks for each transaction)\n`);
}

async function emptyIndex(server: PostgresServer): Promise<PostgresConnection> {
  const connection = { url: await server.createDatabase() };
  await migrate(connection);
  return connection;
}

/** Steps of a local chain in memory. */
interface BenchChain {
  readonly genesis: StepGenesis;
  readonly steps: readonly Step[];
  readonly transactions: number;
}

/** A chain of real contracts, with some hundred transactions in a step. */
async function benchChain(steps: number): Promise<BenchChain> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-bench-"));
  try {
    await createChain(folder, { seed: 1 });
    const producer = await openProducer(folder);
    for (let made = 0; made < steps; made += 10) await producer.steps(Array.from({ length: 10 }, () => ({ rate: 50 })));
    await producer.close();
    const source = chainSteps(folder);
    const genesis = await source.genesis();
    const accounts: StepAccount[] = [];
    for await (const account of genesis.accounts()) accounts.push(account);
    const all: Step[] = [];
    const range = { from: 1, to: await source.newest() };
    for await (const step of source.steps(range, new AbortController().signal)) all.push(step);
    await source.close();
    const transactions = all.reduce((sum, step) => sum + Number(countTransactions(step)), 0);
    return { genesis: { ...genesis, accounts: () => iterated(accounts) }, steps: all, transactions };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* iterated(accounts: readonly StepAccount[]): AsyncGenerator<StepAccount> {
  yield* accounts;
}
