import { sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Database, type Parameter } from "../src/client.ts";
import { migrate, partitionSteps } from "../src/index.ts";
import * as reads from "../src/reading/read-statements.ts";
import { buffersOf, planOf } from "./plans.ts";

/** What is asked for is as cheap with many partitions as with one; only what is in none of the newest looks into all of them. */
const [ACCOUNTS, STEPS, MAX_BUFFERS] = [500, 48, 20];
/** Of a partition in which nothing is found: the root and a leaf of an index. Large indexes have one or two levels more. */
const EMPTY_PARTITION = 3;

const ACCOUNT = "'\\x80000000'::bytea || sha256(int4send(a))";
const RECORD = "decode(repeat(md5(s::text), 8), 'hex')";
/** Account 0 has changed in the first step alone. */
const FILL = [
  `INSERT INTO transactions SELECT ${ACCOUNT}, s * 1000 + a, s, s * 1000 + a - 500, ${RECORD}
   FROM generate_series(1, ${STEPS}) AS s, generate_series(0, ${ACCOUNTS}) AS a WHERE a > 0 OR s = 1`,
  `INSERT INTO account_versions SELECT ${ACCOUNT}, s, ${RECORD}
   FROM generate_series(1, ${STEPS}) AS s, generate_series(0, ${ACCOUNTS}) AS a WHERE a > 0 OR s = 1`,
  "INSERT INTO head VALUES (1, 48, 1, '\\x00')",
];

describe.each([1, 12])("with %d partitions", (partitions) => {
  const every = STEPS / partitions;
  let sql: Database;
  let busy: Buffer;
  let quiet: Buffer;

  beforeAll(async () => {
    const connection = { url: await (await sharedPostgres()).createDatabase(), connections: 1 };
    await migrate(connection);
    if (partitions > 1) await partitionSteps(connection, { every, last: STEPS - 1 });
    sql = connect(connection, "writer");
    for (const text of FILL) await sql.unsafe(text);
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

  test("statements about one partition touch few pages", async () => {
    const [first, lt] = [partitions === 1 ? 0 : STEPS - every, BigInt(STEPS) * 1000n];
    const counts = {
      page: await buffers(reads.selectTransactions, busy, lt + 999n, 0n, first, STEPS, 10),
      "old page": await buffers(reads.selectTransactions, busy, 3_999n, 0n, 0, partitions === 1 ? STEPS : every - 1, 10),
      account: await buffers(reads.selectAccount, busy, STEPS),
      receiver: await buffers(reads.selectReceivers, busy, lt + 7n - 500n, first, STEPS, -1n, 50),
    };
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeLessThanOrEqual(MAX_BUFFERS);
  });

  test("statements about all of them touch a few pages more for each", async () => {
    const most = MAX_BUFFERS + EMPTY_PARTITION * partitions;
    const counts = {
      "quiet page": await buffers(reads.selectTransactionsWithHistory, quiet, 2n ** 62n, 0n, 0, STEPS, 10),
      "quiet account": await buffers(reads.selectAccount, quiet, STEPS),
      "busy page": await buffers(reads.selectTransactionsWithHistory, busy, 2n ** 62n, 0n, 0, STEPS, 10),
      "no account": await buffers(reads.selectAccountWithHistory, Buffer.alloc(36), STEPS),
    };
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeLessThanOrEqual(most);
  });
});
