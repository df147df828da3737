import { sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Database, type Parameter } from "../src/database/client.ts";
import * as texts from "../src/database/statements.ts";
import { migrate, type PostgresConnection, partitionSteps } from "../src/index.ts";

/** Rows enough for a scan of a table to exceed the limit. */
const ACCOUNTS = 500;
const STEPS = 40;
const MAX_BUFFERS = 20;
/** Pages of a partition without a matching row: the root and a leaf of an index. Large indexes have one or two levels more. */
const EMPTY_PARTITION = 3;

const ACCOUNT = `'\\x80000000'::bytea || sha256(int4send(a))`;
const RECORD = "decode(repeat(md5(s::text), 8), 'hex')";
const FILL = [
  `INSERT INTO transactions SELECT ${ACCOUNT}, s * 1000 + a, s, s * 1000 + a - 500, ${RECORD}
   FROM generate_series(1, ${STEPS}) AS s, generate_series(1, ${ACCOUNTS}) AS a`,
  `INSERT INTO account_versions SELECT ${ACCOUNT}, s, ${RECORD} FROM generate_series(1, ${STEPS}) AS s, generate_series(1, ${ACCOUNTS}) AS a`,
  `INSERT INTO blocks SELECT -1, -9223372036854775808, s, s * 1000, s, s, ${RECORD} FROM generate_series(1, 20000) AS s`,
  `INSERT INTO cells SELECT sha256(int4send(s)), ${RECORD} FROM generate_series(1, 5000) AS s`,
  "INSERT INTO chain VALUES (1, '\\x00')",
  "INSERT INTO head VALUES (1, 40, 1, '\\x00')",
  "INSERT INTO indexer_lease VALUES ('head', 'me', 1, now())",
  "INSERT INTO api_keys (id, secret_hash, owner, rate, created) VALUES ('4453aa152052', '\\x00', 'alice', 50, 0)",
];

const account = Buffer.concat([Buffer.of(128, 0, 0, 0), Buffer.alloc(32)]);
const bytes = Buffer.of(0);
const SHARD = [-1, `{${-(2n ** 63n)}}`] as const;

/** Parameters for each statement. Those of lists find ten rows. */
const PARAMETERS: Readonly<Record<string, readonly Parameter[]>> = {
  selectHead: [1],
  selectChain: [],
  selectTransactions: [account, 2n ** 62n, 0n, 0, 40, 10],
  selectTransactionsWithHistory: [account, 2n ** 62n, 0n, 0, 40, 10],
  selectAccount: [account, 40],
  selectAccountWithHistory: [account, 40],
  selectNextChange: [account, 20, 40],
  selectBegin: [],
  selectReceivers: [account, 5n, 0, 40, 0n, 10],
  selectBlockBySeqno: [...SHARD, 700, 40_000],
  selectBlockByLt: [...SHARD, 700_000n, 40_000],
  selectBlockByTime: [...SHARD, 700n, 40_000],
  selectCell: [Buffer.alloc(32)],
  READ_CHAIN: [],
  INSERT_CHAIN: [bytes],
  READ_HEAD: [],
  INSERT_HEAD: [0, 1n, bytes],
  FENCE_HEAD: [2n],
  MOVE_HEAD: [41, bytes, 40, 1n],
  TAKE_LEASE: ["head", "other", 20],
  READ_LEASE: ["head"],
  READ_LEASES: [],
  RENEW_LEASE: ["head", 1n, "{}"],
  RELEASE_LEASE: ["head", 1n],
  READ_HISTORY: [],
  READ_MASTERCHAIN_BLOCK: [700],
  BEGIN_HISTORY: [1, 1000n, bytes],
  LOCK_HISTORY: [],
  SHARE_HISTORY: [],
  MOVE_BEGIN: [1, 2, 1000n, bytes, 1n, 1n],
  FIND_KEY: ["4453aa152052"],
  LIST_KEYS: [],
  selectSignedFork: [],
  INSERT_SIGNED_FORK: [bytes],
  REVOKE_KEY: ["4453aa152052"],
  FIND_REVOKED: ["4453aa152052"],
};
/** Adds a row, which `planOf` would add twice. */
const NOT_MEASURED = ["INSERT_KEY"];

const statements = Object.entries<unknown>(texts).filter(([name]) => !NOT_MEASURED.includes(name));

describe("statements of readers and writers", () => {
  let sql: Database;

  beforeAll(async () => {
    const connection: PostgresConnection = { url: await (await sharedPostgres()).createDatabase(), connections: 1 };
    await migrate(connection);
    sql = connect(connection, "writer");
    for (const text of FILL) await sql.unsafe(text);
    await sql.unsafe("VACUUM ANALYZE");
  });
  afterAll(() => sql?.end());

  test.for(statements)("%s touches few pages, and scans no large table", async ([name, text]) => {
    const parameters = PARAMETERS[name] ?? expect.fail(`${name} has no parameters in this test`);
    const real = await realParameters(parameters);
    const plan = await planOf(sql, String(text), real);
    const scanned = plan.filter((line) => /Seq Scan on (?:transactions|account_versions|blocks|cells)/.test(line));
    expect(scanned, plan.join("\n")).toEqual([]);
    expect(buffersOf(plan), plan.join("\n")).toBeGreaterThan(0);
    expect(buffersOf(plan), plan.join("\n")).toBeLessThanOrEqual(MAX_BUFFERS);
  });

  /** Replaces the zero account by one of the table. */
  async function realParameters(parameters: readonly Parameter[]): Promise<readonly Parameter[]> {
    const [row] = await sql`SELECT account FROM transactions WHERE lt = 20007`;
    return parameters.map((value) => (value === account ? row?.["account"] : value));
  }
});

const PARTITIONED_STEPS = 48;
/** Account 0 has changed in the first step alone. */
const fillWithQuietAccount = [
  `INSERT INTO transactions SELECT ${ACCOUNT}, s * 1000 + a, s, s * 1000 + a - 500, ${RECORD}
   FROM generate_series(1, ${PARTITIONED_STEPS}) AS s, generate_series(0, ${ACCOUNTS}) AS a WHERE a > 0 OR s = 1`,
  `INSERT INTO account_versions SELECT ${ACCOUNT}, s, ${RECORD}
   FROM generate_series(1, ${PARTITIONED_STEPS}) AS s, generate_series(0, ${ACCOUNTS}) AS a WHERE a > 0 OR s = 1`,
  "INSERT INTO head VALUES (1, 48, 1, '\\x00')",
];

describe.each([1, 12])("statements of readers with %d partitions", (partitions) => {
  const every = PARTITIONED_STEPS / partitions;
  let sql: Database;
  let busy: Buffer;
  let quiet: Buffer;

  beforeAll(async () => {
    const connection = { url: await (await sharedPostgres()).createDatabase(), connections: 1 };
    await migrate(connection);
    if (partitions > 1) await partitionSteps(connection, { every, last: PARTITIONED_STEPS - 1 });
    sql = connect(connection, "writer");
    for (const text of fillWithQuietAccount) await sql.unsafe(text);
    await sql.unsafe("VACUUM ANALYZE");
    const accountOf = async (a: number) =>
      (await sql.unsafe(`SELECT ${ACCOUNT} AS account FROM (VALUES (${a})) AS one (a)`))[0]?.["account"];
    [busy, quiet] = [await accountOf(7), await accountOf(0)];
  });
  afterAll(() => sql?.end());

  const buffers = async (statement: string, ...parameters: readonly Parameter[]): Promise<number> => {
    const plan = await planOf(sql, statement, parameters);
    expect(plan.filter((line) => /Seq Scan on (?:transactions|account_versions)/.test(line))).toEqual([]);
    return buffersOf(plan);
  };

  test("a statement about one partition touches few pages", async () => {
    const [first, lt] = [partitions === 1 ? 0 : PARTITIONED_STEPS - every, BigInt(PARTITIONED_STEPS) * 1000n];
    const counts = {
      page: await buffers(texts.selectTransactions, busy, lt + 999n, 0n, first, PARTITIONED_STEPS, 10),
      "old page": await buffers(
        texts.selectTransactions,
        busy,
        3_999n,
        0n,
        0,
        partitions === 1 ? PARTITIONED_STEPS : every - 1,
        10,
      ),
      account: await buffers(texts.selectAccount, busy, PARTITIONED_STEPS),
      receiver: await buffers(texts.selectReceivers, busy, lt + 7n - 500n, first, PARTITIONED_STEPS, -1n, 50),
    };
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeLessThanOrEqual(MAX_BUFFERS);
  });

  test("a statement about all partitions touches a few more pages for each", async () => {
    const most = MAX_BUFFERS + EMPTY_PARTITION * partitions;
    const counts = {
      "quiet page": await buffers(texts.selectTransactionsWithHistory, quiet, 2n ** 62n, 0n, 0, PARTITIONED_STEPS, 10),
      "quiet account": await buffers(texts.selectAccount, quiet, PARTITIONED_STEPS),
      "busy page": await buffers(texts.selectTransactionsWithHistory, busy, 2n ** 62n, 0n, 0, PARTITIONED_STEPS, 10),
      "no account": await buffers(texts.selectAccountWithHistory, Buffer.alloc(36), PARTITIONED_STEPS),
    };
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeLessThanOrEqual(most);
  });
});

/** The plan of the second execution, since the first one also reads the catalogue. Rolls changes back. */
async function planOf(sql: Database, text: string, parameters: readonly Parameter[]): Promise<string[]> {
  let plan: string[] = [];
  const explain = `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) ${text}`;
  await sql
    .begin(async (tx) => {
      for (let i = 0; i < 2; i++) {
        const rows = await tx.savepoint(async (inner) => {
          const explained = await inner.unsafe(explain, [...parameters]);
          return explained.map((row) => String(row["QUERY PLAN"]));
        });
        plan = rows;
      }
      throw new RollBack();
    })
    .catch((cause: unknown) => {
      if (!(cause instanceof RollBack)) throw cause;
    });
  return plan;
}

class RollBack extends Error {}

/** Pages of the whole statement, which the first line with buffers counts. */
function buffersOf(plan: readonly string[]): number {
  const line = plan.find((text) => text.includes("Buffers:")) ?? "";
  return Array.from(line.matchAll(/(?:hit|read)=(\d+)/g), ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}
