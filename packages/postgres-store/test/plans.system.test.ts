import { sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Database, type Parameter } from "../src/client.ts";
import * as heads from "../src/head-statements.ts";
import { migrate, type PostgresConnection } from "../src/index.ts";
import * as reads from "../src/reading/read-statements.ts";
import * as writes from "../src/writing/write-statements.ts";
import { buffersOf, planOf } from "./plans.ts";

/** An index with enough rows that a scan of a table would be seen, as a prepared statement with the plan for all parameters. */
const ACCOUNTS = 500;
const STEPS = 40;
const MAX_BUFFERS = 20;

let sql: Database;

beforeAll(async () => {
  const connection: PostgresConnection = { url: await (await sharedPostgres()).createDatabase(), connections: 1 };
  await migrate(connection);
  sql = connect(connection, "writer");
  for (const text of FILL) await sql.unsafe(text);
  await sql.unsafe("VACUUM ANALYZE");
});
afterAll(() => sql?.end());

const ACCOUNT = `'\\x80000000'::bytea || sha256(int4send(a))`;
const RECORD = "decode(repeat(md5(s::text), 8), 'hex')";
const FILL = [
  `INSERT INTO transactions SELECT ${ACCOUNT}, s * 1000 + a, s, s * 1000 + a - 500, ${RECORD}
   FROM generate_series(1, ${STEPS}) AS s, generate_series(1, ${ACCOUNTS}) AS a`,
  `INSERT INTO account_versions SELECT ${ACCOUNT}, s, ${RECORD} FROM generate_series(1, ${STEPS}) AS s, generate_series(1, ${ACCOUNTS}) AS a`,
  `INSERT INTO blocks SELECT -1, -9223372036854775808, s, s * 1000, s, s, ${RECORD} FROM generate_series(1, 20000) AS s`,
  `INSERT INTO cells SELECT sha256(int4send(s)), ${RECORD} FROM generate_series(1, 5000) AS s`,
  `INSERT INTO backfill_ranges SELECT s * 100, s * 100 + 99, s * 100, 0, ${RECORD} FROM generate_series(1, 5) AS s`,
  "INSERT INTO chain VALUES (1, '\\x00')",
  "INSERT INTO head VALUES (1, 40, 1, '\\x00')",
  "INSERT INTO indexer_lease VALUES ('head', 'me', 1, now())",
];

const account = Buffer.concat([Buffer.of(128, 0, 0, 0), Buffer.alloc(32)]);
const bytes = Buffer.of(0);
const SHARD = [-1, -(2n ** 63n)] as const;

/** Statements with parameters that find ten rows, where they can. */
const PARAMETERS: Readonly<Record<string, readonly Parameter[]>> = {
  selectHead: [1],
  selectChain: [],
  selectTransactions: [account, 2n ** 62n, 0n, 0, 40, 10],
  selectTransactionsWithHistory: [account, 2n ** 62n, 0n, 0, 40, 10],
  selectAccount: [account, 40],
  selectAccountWithHistory: [account, 40],
  selectReceivers: [account, 5n, 0, 40, 0n, 10],
  selectBlockBySeqno: [...SHARD, 700, 40_000],
  selectBlockByLt: [...SHARD, 700_000n, 40_000],
  selectBlockByTime: [...SHARD, 700n, 40_000],
  selectCell: [Buffer.alloc(32)],
  READ_CHAIN: [],
  INSERT_CHAIN: [bytes],
  READ_HEAD: [],
  INSERT_HEAD: [1n, bytes],
  FENCE_HEAD: [2n],
  MOVE_HEAD: [41, bytes, 40, 1n],
  TAKE_LEASE: ["head", "other", 20],
  READ_LEASE: ["head"],
  READ_LEASES: [],
  RENEW_LEASE: ["head", 1n],
  RELEASE_LEASE: ["head", 1n],
  READ_OVERLAPPING: [150, 250],
  INSERT_RANGE: [900, 999, bytes],
  FENCE_RANGE: [1n, 200],
  READ_RANGE: [200],
  MOVE_RANGE: [201, bytes, 200, 200, 0n],
  END_RANGE: [200],
  READ_NEXT_RANGE: [150],
  READ_HISTORY: [],
  READ_MASTERCHAIN_BLOCK: [700],
};
/** Read a table of a few rows, one for each backfill. */
const OF_ALL_RANGES = ["READ_RANGES"];

const statements = Object.entries<unknown>({ ...heads, ...reads, ...writes }).filter(([name]) => !OF_ALL_RANGES.includes(name));

describe("statements of readers and writers", () => {
  test.each(statements)("%s touches few pages, and scans no large table", async (name, text) => {
    const parameters = PARAMETERS[name] ?? expect.fail(`${name} has no parameters in this test`);
    const real = await realParameters(parameters);
    const plan = await planOf(sql, String(text), real);
    const scanned = plan.filter((line) => /Seq Scan on (?:transactions|account_versions|blocks|cells)/.test(line));
    expect(scanned, plan.join("\n")).toEqual([]);
    expect(buffersOf(plan), plan.join("\n")).toBeGreaterThan(0);
    expect(buffersOf(plan), plan.join("\n")).toBeLessThanOrEqual(MAX_BUFFERS);
  });
});

/** Replaces the zero account by one of the table. */
async function realParameters(parameters: readonly Parameter[]): Promise<readonly Parameter[]> {
  const [row] = await sql`SELECT account FROM transactions WHERE lt = 20007`;
  return parameters.map((value) => (value === account ? row?.["account"] : value));
}
