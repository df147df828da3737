import { beforeAll, expect, test } from "vitest";
import { openPostgresWriter, type PostgresConnection, readIndexStatus, verifyIndex } from "../src/index.ts";
import { copiedIndex, expectFound, newIndex, type ProducedSteps, producedSteps, withDatabase } from "./indexed-chains.ts";

const STEPS = 18;
let chain: ProducedSteps;
let index: PostgresConnection;

beforeAll(async () => {
  chain = await producedSteps();
  index = await newIndex(chain, STEPS);
});

test("finds no fault in an index, and counts its rows", async () => {
  const blocks = chain.steps.slice(0, STEPS).flatMap(({ masterchain, shards }) => [masterchain, ...shards]);
  const transactions = blocks.reduce((sum, block) => sum + block.transactions.length, 0);
  const progress: number[][] = [];
  const verified = await verifyIndex(index, { onProgress: (checked, all) => progress.push([checked, all]) });
  expect(verified).toMatchObject({ steps: STEPS, blocks: blocks.length, transactions });
  expect(progress.at(-1)).toEqual([transactions, transactions]);
});

test("checks the steps from one on, and refuses a step above the head", async () => {
  const connection = await copiedIndex(chain, STEPS);
  const last = chain.steps.slice(8, STEPS).flatMap(({ masterchain, shards }) => [masterchain, ...shards]);
  const transactions = last.reduce((sum, block) => sum + block.transactions.length, 0);
  const part = { steps: STEPS - 8, blocks: last.length, transactions, firstSeqno: 9 };
  const damage = (step: number) =>
    withDatabase(connection, (sql) => sql`DELETE FROM account_versions WHERE mc_seqno = ${step}`);
  await damage(8);
  expect(await verifyIndex(connection, { from: 9 })).toMatchObject(part);
  await expect(verifyIndex(connection, { from: 8 })).rejects.toMatchObject({
    message: expect.stringMatching(/block 8 is missing$/),
  });
  const account = "(SELECT account FROM transactions WHERE mc_seqno = 18 ORDER BY account LIMIT 1) AND mc_seqno = 18";
  await withDatabase(connection, (sql) =>
    sql.unsafe(`DELETE FROM account_versions WHERE account = ${account}; DELETE FROM transactions WHERE account = ${account}`),
  );
  const lost = /^masterchain block 18 has -\d+ transactions more than its blocks state$/;
  await expect(verifyIndex(connection, { from: 9 })).rejects.toMatchObject({ message: expect.stringMatching(lost) });
  await damage(9);
  await expect(verifyIndex(connection, { from: 9 })).rejects.toMatchObject({
    message: expect.stringMatching(/block 9 is missing$/),
  });
  await expect(verifyIndex(connection, { from: STEPS + 1 })).rejects.toThrow(
    new RangeError(`the step must be at most ${STEPS}, the newest one, got ${STEPS + 1}`),
  );
});

test("does not read above the head, where another writer may write", async () => {
  const connection = await copiedIndex(chain, STEPS);
  await withDatabase(connection, async (sql) => {
    const [head] = await sql`SELECT record FROM head`;
    const writer = await openPostgresWriter(connection);
    await writer.write(chain.steps.slice(STEPS, STEPS + 1));
    await writer.close();
    await sql`UPDATE head SET seqno = ${STEPS}, record = ${head?.["record"]}`;
  });
  expect(await verifyIndex(connection)).toEqual(await verifyIndex(index));
});

test("the status has the head, the sizes and the ranges", async () => {
  const { transactions } = await verifyIndex(index);
  const { head, headTime, transactionCount, bytes, tables, leases } = await readIndexStatus(index);
  expect({ head, transactionCount }).toEqual({ head: STEPS, transactionCount: BigInt(transactions) });
  expect(headTime).toBe(chain.steps[STEPS - 1]?.masterchain.time);
  expect(leases).toEqual([]);
  const writer = await openPostgresWriter(index, { holder: "the test" });
  expect((await readIndexStatus(index)).leases).toEqual([{ name: "head", holder: "the test", age: expect.any(Number) }]);
  await writer.close();
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["transactions", "account_versions", "cells", "blocks"]),
  );
  expect(bytes).toBe(tables.reduce((sum, table) => sum + table.bytes, 0));
});

/** Of a version `v`: its account has no transaction. */
const IS_QUIET = "mc_seqno = 0 AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.account = v.account)";
const goneAtZero =
  "DELETE FROM account_versions WHERE mc_seqno = 0 AND account = (SELECT account FROM account_versions v WHERE mc_seqno = 0";

/** Changes of one row, which the test reverts. */
const DAMAGE: readonly (readonly [what: string, change: string, fault: RegExp])[] = [
  ...(["transactions", "account_versions", "blocks", "cells", "head", "chain"] as const).map(
    (table) =>
      [
        `a byte of a record of ${table}`,
        `UPDATE ${table} SET record = set_byte(record, length(record) / 2, get_byte(record, length(record) / 2) # 1)
         WHERE ctid = (SELECT ctid FROM ${table} WHERE length(record) > 100 LIMIT 1)`,
        / cannot be read: .* a record does not have its checksum/,
      ] as const,
  ),
  [
    "an account of a transaction",
    one("transactions", "account = set_byte(account, 20, 1 - get_byte(account, 20) % 2)"),
    /account/,
  ],
  ["the lt of a transaction", one("transactions", "lt = lt + 1000003"), /transaction \d+ of account/],
  [
    "the step of a transaction",
    one("transactions", "mc_seqno = mc_seqno % 2 + 1"),
    /transaction \d+ of account|^the version of account/,
  ],
  ["the message of a transaction", one("transactions", "in_created_lt = 5"), /^in_created_lt of transaction/],
  ["a missing transaction", gone("transactions"), /transaction|version|^hash of the state of account/],
  ["the step of a version", one("account_versions", "mc_seqno = 999"), /^the version of account .* is missing$/],
  ["an account of a version", one("account_versions", "account = set_byte(account, 20, 1)"), /account/],
  ["a missing version", `${gone("account_versions")} AND mc_seqno > 0`, /^the version of account .* is missing$/],
  [
    "a missing version of the zero state",
    `${goneAtZero} AND account IN (SELECT account FROM transactions) LIMIT 1)`,
    /^(?:previous lt of|hash of the state before) transaction/,
  ],
  [
    "a missing version of the zero state, of an account without transactions",
    `${goneAtZero} AND ${IS_QUIET} LIMIT 1)`,
    /^number of accounts of the zero state is \d+ and should be \d+$/,
  ],
  [
    "the step of a version of the zero state",
    `UPDATE account_versions SET mc_seqno = 99 WHERE account = (SELECT account FROM account_versions v WHERE ${IS_QUIET} LIMIT 1)`,
    /^number of accounts of the zero state is/,
  ],
  [
    "the record of another account in the zero state",
    `UPDATE account_versions SET record = (SELECT record FROM account_versions v WHERE ${IS_QUIET} ORDER BY account LIMIT 1)
     WHERE account = (SELECT account FROM account_versions v WHERE ${IS_QUIET} ORDER BY account DESC LIMIT 1)`,
    /^account .* as of masterchain block 0 cannot be read: .* is that of another one$/,
  ],
  [
    "the record of the account in another step",
    `UPDATE account_versions v SET record = (SELECT record FROM account_versions o WHERE o.account = v.account ORDER BY mc_seqno LIMIT 1)
     WHERE (account, mc_seqno) = (SELECT account, max(mc_seqno) FROM account_versions GROUP BY account HAVING count(*) > 1 LIMIT 1)`,
    /^hash of the state of account \S+ as of masterchain block \d+ is /,
  ],
  ["the end lt of a block", one("blocks", "end_lt = end_lt + 1"), /^end_lt of block/],
  ["the time of a block", one("blocks", "time = time + 1"), /^time of block/],
  ["the step of a block", one("blocks", "mc_seqno = mc_seqno % 2 + 1"), /^mc_seqno of block/],
  ["a missing block", gone("blocks"), /^block .* is missing$/],
  ["a missing cell", gone("cells"), /^cell [0-9a-f]{64} is missing$|^version/],
  [
    "a missing cell that only a transaction names",
    `DELETE FROM cells WHERE hash = (SELECT hash FROM cells c WHERE EXISTS (SELECT FROM transactions WHERE position(c.hash IN record) > 0)
     AND NOT EXISTS (SELECT FROM account_versions WHERE position(c.hash IN record) > 0) LIMIT 1)`,
    /^cell [0-9a-f]{64} is missing$/,
  ],
  ["the hash of a cell", one("cells", "hash = set_byte(hash, 3, 255 - get_byte(hash, 3))"), /cell [0-9a-f]{64} /],
  ["the seqno of the head", "UPDATE head SET seqno = seqno - 1", /^seqno of the masterchain.s newest block at the head is /],
];

function one(table: string, change: string): string {
  return `UPDATE ${table} SET ${change} WHERE ctid = (SELECT ctid FROM ${table} WHERE ${isInStep(table)} LIMIT 1)`;
}

function gone(table: string): string {
  return `DELETE FROM ${table} WHERE ctid = (SELECT ctid FROM ${table} WHERE ${isInStep(table)} LIMIT 1)`;
}

function isInStep(table: string): string {
  return table === "cells" ? "true" : "mc_seqno > 3";
}

test.each(DAMAGE)("verifyIndex names %s", (...damage) => expectFound(index, [damage]));
