/** Transactions a second of whole steps, beside a plain COPY of transactions alone, and their bytes on disk. */
import { migrate, openPostgresWriter, type PostgresConnection, readIndexStatus } from "@chain-query/postgres-store";
import { measureCommits, measurePlainCopy } from "@chain-query/postgres-store/testing";
import { type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { type BenchChain, benchChain } from "./chain.ts";
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

export async function benchWrites(): Promise<void> {
  const chain = await benchChain(STEPS);
  console.log(`writing ${chain.transactions} transactions in ${STEPS} steps, a commit each, medians of ${ROUNDS} rounds\n`);
  await using server = await startPostgres({ fsync: true, settings: { shared_buffers: "256MB", max_wal_size: "4GB" } });
  const measure = (run: () => Promise<void>): Promise<Cost> => costOf(server.pid, run);
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
