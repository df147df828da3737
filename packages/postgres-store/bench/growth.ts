/** The cost of a page and of a step by the number of rows that the tables have. Sizes take turns, so that all meet the same noise. */
import { createHash } from "node:crypto";
import type { AccountId, Step } from "@chain-query/chain-store";
import { migrate, openPostgresWriter, type PostgresWriter } from "@chain-query/postgres-store";
import { openRecordPages, type RecordPages, selectTransactions } from "@chain-query/postgres-store/testing";
import { type PostgresServer, startPostgres } from "@chain-query/testing/services";
import postgres from "postgres";
import { type BenchChain, benchChain } from "./chain.ts";
import { type Cost, costOf, costOfEach, cpuOf, medianCost } from "./cost.ts";

const SIZES = [100_000, 1_000_000, 10_000_000] as const;
const PAGE = 10;
const [ROUNDS, PAGES, STEPS] = [5, 1_000, 8];
/** Bytes of a record. Smaller than a chain's, so that all rows fit into memory, as the newest ones of a service do. */
const RECORD = 208;
const EXPLAINED = 50;

/** An index with rows of accounts that have a page each, far apart. */
interface Index {
  readonly rows: number;
  readonly sql: postgres.Sql;
  readonly writer: PostgresWriter;
  readonly pages: RecordPages;
  readonly reads: Cost[];
  readonly writes: Cost[];
  /** Bytes of WAL for each step. */
  readonly wal: number[];
}

export async function benchGrowth(): Promise<void> {
  const chain = await benchChain(STEPS * (ROUNDS + 1));
  // Rows that are filled into a new file need no WAL then.
  const settings = { wal_level: "minimal", max_wal_senders: 0, shared_buffers: "6GB", max_wal_size: "8GB" };
  await using server = await startPostgres({ fsync: true, settings });
  const indexes: Index[] = [];
  for (const rows of SIZES) indexes.push(await filled(server, chain, rows));
  // Else the files would be written while steps are.
  await indexes[0]?.sql.unsafe("CHECKPOINT");
  for (let round = 0; round <= ROUNDS; round++)
    for (const index of indexes) await measure(server, index, chain.steps.slice(round * STEPS, (round + 1) * STEPS));
  await print(indexes, chain.transactions / chain.steps.length);
  await Promise.all(indexes.flatMap(({ writer, pages, sql }) => [writer.close(), pages.close(), sql.end()]));
}

const ACCOUNT = "'\\x80000000'::bytea || sha256(int8send(n % $2))";

async function filled(server: PostgresServer, { genesis }: BenchChain, rows: number): Promise<Index> {
  const url = await server.createDatabase();
  await migrate({ url });
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe("SET maintenance_work_mem = '1GB'");
  const record = `decode(repeat(md5(n::text), ${RECORD / 16}), 'hex')`;
  const series = "generate_series(1, $1::int8) AS n";
  await refilled(
    sql,
    { name: "transactions", key: "account, lt, mc_seqno", index: "transactions_by_message" },
    `INSERT INTO transactions (account, lt, mc_seqno, in_created_lt, record)
      SELECT ${ACCOUNT}, n * 1000, 0, n * 1000 - 7, ${record} FROM ${series}`,
    [rows, rows / PAGE],
  );
  await refilled(
    sql,
    { name: "account_versions", key: "account, mc_seqno" },
    `INSERT INTO account_versions (account, mc_seqno, record) SELECT ${ACCOUNT}, 0, ${record} FROM ${series}`,
    [rows, rows],
  );
  await sql.unsafe("VACUUM (ANALYZE) transactions, account_versions");
  await sql.unsafe("CREATE EXTENSION pg_prewarm");
  await sql.unsafe("SELECT pg_prewarm(oid) FROM pg_class WHERE relname ~ '^transactions' AND relkind IN ('r', 'i')");
  const writer = await openPostgresWriter({ url });
  await writer.begin(genesis);
  return { rows, sql, writer, pages: openRecordPages({ url }), reads: [], writes: [], wal: [] };
}

/** Fills a table and makes its indexes then, as full as random inserts leave them. */
async function refilled(
  sql: postgres.Sql,
  { name, key, index }: { readonly name: string; readonly key: string; readonly index?: string },
  fill: string,
  parameters: number[],
): Promise<void> {
  const [made] = index ? await sql`SELECT pg_get_indexdef(${index}::regclass) AS text` : [];
  await sql.begin(async (tx) => {
    await tx.unsafe(
      `TRUNCATE ${name}; ALTER TABLE ${name} DROP CONSTRAINT ${name}_pkey; ${index ? `DROP INDEX ${index}` : ""}`,
    );
    await tx.unsafe(fill, parameters);
    await tx.unsafe(`ALTER TABLE ${name} ADD PRIMARY KEY (${key}) WITH (fillfactor = 70)`);
    if (made) await tx.unsafe(`${made["text"]}`.replace(" WHERE ", " WITH (fillfactor = 70) WHERE "));
  });
}

async function measure(server: PostgresServer, index: Index, steps: readonly Step[]): Promise<void> {
  const { rows, pages, writer, reads, writes, wal, sql } = index;
  const accounts = Array.from({ length: PAGES }, () => randomAccount(rows / PAGE));
  const at = writer.head;
  const read = await costOf(server.pid, async () => {
    const next = accounts.values();
    const reader = async (): Promise<void> => {
      for (const account of next) if ((await pages.read(account, PAGE, at)) !== PAGE) throw new Error("a page must be full");
    };
    await Promise.all(Array.from({ length: 32 }, reader));
  });
  const before = await walOf(sql);
  const write = await costOf(server.pid, async () => {
    for (const step of steps) await writer.write([step]);
  });
  // The first round warms up.
  if (reads.length === 0 && at === 0) return;
  wal.push(((await walOf(sql)) - before) / steps.length);
  reads.push(costOfEach(read, PAGES));
  writes.push(costOfEach(write, steps.length));
}

function randomAccount(accounts: number): AccountId {
  const number = Buffer.alloc(8);
  number.writeBigInt64BE(BigInt(Math.floor(Math.random() * accounts)));
  return { workchain: 0, hash: createHash("sha256").update(number).digest() };
}

async function walOf(sql: postgres.Sql): Promise<number> {
  const [row] = await sql`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`;
  return Number(row?.["bytes"]);
}

/** Pages of 8 kB that the statement of a page of transactions touches, on average, and those of them that the database did not have. */
async function buffersOf({ sql, rows }: Index): Promise<{ readonly all: number; readonly read: number }> {
  let [hit, read] = [0, 0];
  for (let i = 0; i < EXPLAINED; i++) {
    const { hash } = randomAccount(rows / PAGE);
    const key = Buffer.concat([Buffer.of(128, 0, 0, 0), hash]);
    const parameters = [key, "9223372036854775807", 0, 0, 0, PAGE];
    const [row] = await sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${selectTransactions}`, parameters);
    const plan = row?.["QUERY PLAN"][0].Plan;
    hit += plan["Shared Hit Blocks"];
    read += plan["Shared Read Blocks"];
  }
  return { all: (hit + read) / EXPLAINED, read: read / EXPLAINED };
}

async function print(indexes: readonly Index[], transactions: number): Promise<void> {
  console.log(`a page of ${PAGE} transactions and a step of ${Math.round(transactions)}, by the rows of each table`);
  console.log(`medians of ${ROUNDS} rounds of ${PAGES} pages and ${STEPS} steps; records of ${RECORD} bytes\n`);
  console.log("      rows   page: buffers, read   µs   CPU of Node, PostgreSQL   step: ms   CPU ms   WAL kB");
  for (const index of indexes) {
    const [read, write] = [medianCost(index.reads), medianCost(index.writes)];
    const wal = index.wal.reduce((sum, bytes) => sum + bytes, 0) / index.wal.length;
    const buffers = await buffersOf(index);
    const page = [`${buffers.all.toFixed(1)}, ${buffers.read.toFixed(1)}`.padStart(21), read.time.toFixed(0).padStart(5)];
    const cpu = `${read.node.toFixed(0)}, ${read.server.toFixed(0)}`.padStart(26);
    const step = [write.time / 1000, cpuOf(write) / 1000].map((ms) => ms.toFixed(1).padStart(9));
    console.log(`${`${index.rows}`.padStart(10)} ${[...page, cpu, ...step].join(" ")} ${(wal / 1000).toFixed(0).padStart(8)}`);
  }
  const [first, last] = [indexes[0], indexes.at(-1)];
  if (!first || !last) return;
  const growth = (of: (index: Index) => number): string => (of(last) / of(first)).toFixed(2);
  console.log(`growth from ${first.rows} to ${last.rows} rows, goal ≤ 1.5`);
  console.log(
    `  page: CPU of both ${growth(({ reads }) => cpuOf(medianCost(reads)))}, time ${growth(({ reads }) => medianCost(reads).time)}`,
  );
  console.log(
    `  step: CPU of both ${growth(({ writes }) => cpuOf(medianCost(writes)))}, time ${growth(({ writes }) => medianCost(writes).time)}\n`,
  );
}
