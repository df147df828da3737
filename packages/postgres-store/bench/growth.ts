/** The cost of writing a step by the number of rows that the tables have. */
import { migrate, openPostgresWriter } from "@chain-query/postgres-store";
import { startPostgres } from "@chain-query/test-services";
import postgres from "postgres";
import { benchChain } from "./chain.ts";

const STEPS = 50;
/** Steps before the first figure, while the program and the database warm up. */
const WARM_UP = 10;
/** 10^7 rows take half an hour to fill, so they are not among the sizes. */
const SIZES = [100_000, 1_000_000] as const;

/** Rows as large as those of a chain, of other accounts, in steps below the chain's first one: lts and accounts at random. */
const FILL = `INSERT INTO transactions (account, lt, mc_seqno, in_created_lt, record)
  SELECT '\\x80000000'::bytea || sha256(int8send(n % 100000)), n * 1000, 0, n * 1000 - 7, decode(repeat(md5(n::text), 70), 'hex')
  FROM generate_series($1::int8, $2::int8) AS n`;
const FILL_VERSIONS = `INSERT INTO account_versions (account, mc_seqno, record)
  SELECT '\\x80000000'::bytea || sha256(int8send(n)), 0, decode(repeat(md5(n::text), 16), 'hex')
  FROM generate_series($1::int8, $2::int8) AS n`;

export async function benchGrowth(): Promise<void> {
  const chain = await benchChain(STEPS);
  await using server = await startPostgres({ fsync: true, settings: { shared_buffers: "512MB", max_wal_size: "8GB" } });
  const connection = { url: await server.createDatabase() };
  await migrate(connection);
  const sql = postgres(connection.url, { max: 1, onnotice: () => {} });
  console.log(`writing ${chain.transactions} transactions in ${STEPS} steps, by the rows that are there\n`);
  const writer = await openPostgresWriter(connection);
  await writer.begin(chain.genesis);
  for (const step of chain.steps.slice(0, WARM_UP)) await writer.write([step]);
  const medians: number[] = [];
  let rows = 0;
  for (const [i, size] of SIZES.entries()) {
    await sql.unsafe(FILL, [rows + 1, size]);
    await sql.unsafe(FILL_VERSIONS, [rows + 1, size]);
    // So that the database does not write the rows of the fill to its files while steps are written.
    await sql.unsafe("VACUUM ANALYZE");
    await sql.unsafe("CHECKPOINT");
    rows = size;
    const part = (STEPS - WARM_UP) / SIZES.length;
    const times: number[] = [];
    for (const step of chain.steps.slice(WARM_UP + i * part, WARM_UP + (i + 1) * part)) {
      const start = performance.now();
      await writer.write([step]);
      times.push(performance.now() - start);
    }
    const median = times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
    medians.push(median);
    console.log(`${size.toLocaleString("en").padStart(10)} rows   ${median.toFixed(1).padStart(8)} ms a step, median`);
  }
  const growth = (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN);
  console.log(`growth            ${growth.toFixed(2).padStart(8)}     goal ≤ 1.5\n`);
  await Promise.all([writer.close(), sql.end()]);
}
