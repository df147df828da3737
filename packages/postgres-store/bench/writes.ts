/** Transactions a second of whole steps, beside a plain COPY of transactions alone, and their bytes on disk. */
import type { Step } from "@chain-query/chain-store";
import { migrate, openPostgresWriter, type PostgresConnection, readIndexStatus } from "@chain-query/postgres-store";
import { timeCommits, timePlainCopy } from "@chain-query/postgres-store/testing";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import { type BenchChain, benchChain } from "./chain.ts";

const STEPS = 100;
const ROUNDS = 3;
const WAYS = {
  plain: "plain COPY of transactions, bytes ready",
  commits: "whole steps, bytes ready",
  full: "whole steps, from their cells",
  batched: "whole steps, from their cells, ten a commit",
} as const;

export async function benchWrites(): Promise<void> {
  const chain = await benchChain(STEPS);
  console.log(`writing ${chain.transactions} transactions in ${STEPS} steps, a commit each, medians of ${ROUNDS} rounds\n`);
  await using server = await startPostgres({ fsync: true, settings: { shared_buffers: "256MB", max_wal_size: "4GB" } });
  const rounds: Record<keyof typeof WAYS, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      plain: await timePlainCopy({ url: await server.createDatabase() }, chain.steps),
      commits: await timeCommits(await emptyIndex(server), chain.steps),
      full: await wholeSteps(server, chain, 1),
      batched: await wholeSteps(server, chain, 10),
    });
  }
  const rate = (way: keyof typeof WAYS): number => chain.transactions / median(rounds.map((round) => round[way]));
  for (const way of Object.keys(WAYS) as (keyof typeof WAYS)[])
    console.log(`${WAYS[way].padEnd(44)} ${`${Math.round(rate(way)).toLocaleString("en")}/s`.padStart(10)}`);
  const ratio = (way: keyof typeof WAYS): string => (rate(way) / rate("plain")).toFixed(2).padStart(10);
  console.log(`${"whole steps, bytes ready : plain COPY".padEnd(44)} ${ratio("commits")}   goal ≥ 0.6`);
  console.log(`${"whole steps : plain COPY".padEnd(44)} ${ratio("full")}`);
  console.log("goal of whole steps: ≥ 5,000/s on two idle cores");
  await printSizes(server, chain);
}

/** Seconds of `write` for all steps: records of transactions and accounts, blocks, cells, head. */
async function wholeSteps(server: PostgresServer, { genesis, steps }: BenchChain, stepsPerWrite: number): Promise<number> {
  const connection = await emptyIndex(server);
  const writer = await openPostgresWriter(connection);
  await writer.begin(genesis);
  const writes: Step[][] = [];
  for (let from = 0; from < steps.length; from += stepsPerWrite) writes.push(steps.slice(from, from + stepsPerWrite));
  const start = performance.now();
  for (const some of writes) await writer.write(some);
  const seconds = (performance.now() - start) / 1000;
  await writer.close();
  return seconds;
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

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

async function emptyIndex(server: PostgresServer): Promise<PostgresConnection> {
  const connection = { url: await server.createDatabase() };
  await migrate(connection);
  return connection;
}
