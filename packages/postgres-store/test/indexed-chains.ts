/** Local chains and their indexes in PostgreSQL. */
import { basename } from "node:path";
import {
  type AccountId,
  accountKey,
  type BlockId,
  type ChainTransaction,
  type Step,
  type StepAccount,
  type StepGenesis,
} from "@chain-query/format/store";
import { chainSteps, type LocalChain, openChain } from "@chain-query/local-chain";
import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { DAYS } from "@chain-query/testing/chains";
import { type DatabaseTemplate, type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { expect, onTestFinished } from "vitest";
import { connect, type Database } from "../src/database/client.ts";
import {
  migrate,
  openPostgresReader,
  openPostgresWriter,
  type PostgresConnection,
  type PostgresReader,
  partitionSteps,
  verifyIndex,
} from "../src/index.ts";
import { readPartitions } from "../src/partitions/partitions.ts";

/** The steps of a local chain in memory. */
export interface ProducedSteps {
  /** Differs for other options. */
  readonly name: string;
  readonly genesis: StepGenesis;
  readonly steps: readonly Step[];
}

export async function producedSteps(options: MadeChainOptions = DAYS): Promise<ProducedSteps> {
  const folder = await madeChain(options);
  const source = chainSteps(folder);
  const genesis = await source.genesis();
  const accounts = await collected(genesis.accounts());
  const steps = await collected(source.steps({ from: 1, to: options.steps }, new AbortController().signal));
  await source.close();
  return { name: basename(folder).slice(0, 20), genesis: { ...genesis, accounts: () => iterated(accounts) }, steps };
}

export function firstSteps(chain: ProducedSteps, count: number): ProducedSteps {
  return { ...chain, steps: chain.steps.slice(0, count) };
}

async function* iterated(accounts: readonly StepAccount[]): AsyncGenerator<StepAccount> {
  yield* accounts;
}

export async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Every account of the zero state and of the steps. */
async function accountsOf({ genesis, steps }: ProducedSteps): Promise<AccountId[]> {
  const all = [...(await collected(genesis.accounts())), ...steps.flatMap(({ accounts }) => accounts)];
  return [...new Map(all.map(({ account }) => [accountKey(account).toString("hex"), account])).values()];
}

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

/** A copy of an index with partitions 0 to 4, 5 to 9, and so on up to 24, for the current test. */
export function partitioned(chain: ProducedSteps): Promise<PostgresConnection> {
  const fill = async (url: string) => {
    await migrate({ url });
    await partitionSteps({ url }, { every: 5, last: STEPS });
    await writeSteps({ url }, chain, [chain.steps]);
  };
  return emptyDatabase({ name: `partitioned_${chain.name}_${chain.steps.length}_${chain.genesis.retentionSeconds}`, fill });
}

/** The bounds of the partitions of an index. */
export function boundsOf(connection: PostgresConnection): Promise<(number | undefined)[][]> {
  return withDatabase(connection, async (sql) => (await readPartitions(sql)).map(({ from, to }) => [from, to]));
}

/** An index with some steps, for the current test; each element is one write. */
export async function writtenIndex(chain: ProducedSteps, writes: readonly (readonly Step[])[]): Promise<PostgresConnection> {
  const connection = await emptyIndex();
  await writeSteps(connection, chain, writes);
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
): Promise<void> {
  const writer = await openPostgresWriter(connection);
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

/** Expects that `verifyIndex` finds each change, and takes it back. */
export async function expectFound(
  connection: PostgresConnection,
  changes: readonly (readonly [what: string, change: string, fault: RegExp])[],
): Promise<void> {
  await withDatabase(connection, async (sql) => {
    for (const [what, change, fault] of changes) {
      const tables = Array.from(change.matchAll(/(?:UPDATE|DELETE FROM) (\w+)/g), ([, table]) => table);
      for (const table of tables) await sql.unsafe(`CREATE TABLE old_${table} AS SELECT * FROM ${table}`);
      try {
        expect((await sql.unsafe(change)).count, what).toBeGreaterThan(0);
        const damage = { kind: "damaged", message: expect.stringMatching(fault) };
        await expect(verifyIndex(connection), what).rejects.toMatchObject(damage);
      } finally {
        for (const table of tables)
          await sql.unsafe(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM old_${table}; DROP TABLE old_${table}`);
      }
    }
  });
}

export async function withReader<T>(connection: PostgresConnection, use: (reader: PostgresReader) => Promise<T>): Promise<T> {
  const reader = openTestReader(connection);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

/** Opens a reader with a long timeout, for tests on a busy machine. */
export function openTestReader({ url }: PostgresConnection): PostgresReader {
  return openPostgresReader({ url, statementTimeout: 60_000 });
}

export const STEPS: number = DAYS.steps;

/** A local chain, its index in PostgreSQL, and a reader of each. */
export interface ReadChain extends AsyncDisposable {
  readonly chain: LocalChain;
  readonly steps: ProducedSteps;
  readonly reader: PostgresReader;
  readonly connection: PostgresConnection;
  /** Every account that any message names. */
  readonly accounts: readonly AccountId[];
  /** The transactions of these accounts. */
  readonly transactions: readonly ChainTransaction[];
  /** The blocks of all shards. */
  readonly blocks: readonly BlockId[];
}

export async function startReadChain(options: MadeChainOptions = DAYS): Promise<ReadChain> {
  const [chain, steps] = [openChain(await madeChain(options)), await producedSteps(options)];
  const connection = await newIndex(steps);
  const reader = openTestReader(connection);
  const accounts = await accountsOf(steps);
  const transactions = accounts.flatMap((account) => [...chain.transactions(account)]);
  const blocks = steps.steps.flatMap(({ masterchain, shards }) => [masterchain, ...shards].map(({ id }) => id));
  return {
    ...{ chain, steps, reader, connection, accounts, transactions, blocks },
    async [Symbol.asyncDispose]() {
      await reader.close();
      await chain.close();
    },
  };
}
