import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { openTransactions } from "../src/database/transactions.ts";
import { dropHistory, openPostgresWriter, type PostgresConnection, partitionSteps, verifyIndex } from "../src/index.ts";
import { addLimit, closeLimitedPartition, closePartition, dropPartition } from "../src/partitions/partition-statements.ts";
import {
  boundsOf,
  copiedIndex,
  emptyIndex,
  firstSteps,
  type ProducedSteps,
  partitioned,
  producedSteps,
  withDatabase,
} from "./indexed-chains.ts";

const STEPS = 12;
/** More rows than `partitionSteps` reads under a lock. */
const FILL = `INSERT INTO transactions (account, lt, mc_seqno, record)
  SELECT decode(lpad(to_hex(i), 72, '0'), 'hex'), i, 0, decode(repeat('00', 4000), 'hex') FROM generate_series(1, 2500) i`;
const LIMITS = "SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint WHERE conname LIKE 'below%'";

let chain: ProducedSteps;

beforeAll(async () => {
  chain = firstSteps(await producedSteps(), STEPS);
});

const limitsOf = (connection: PostgresConnection) => withDatabase(connection, async (sql) => (await sql.unsafe(LIMITS)).length);

/** Runs `use` while another connection has an open transaction. */
function during<T>(connection: PostgresConnection, statements: string, use: (end: () => Promise<unknown>) => Promise<T>) {
  return withDatabase({ ...connection, connections: 1 }, async (sql) => {
    await sql.unsafe(`BEGIN; ${statements}`);
    return use(() => sql`COMMIT`);
  });
}

describe("partitionSteps", () => {
  test("makes a partition while another one is vacuumed", async () => {
    const connection = await emptyIndex();
    await partitionSteps(connection, { every: 5, last: 5 });
    await during(connection, "LOCK TABLE transactions_from_0 IN SHARE UPDATE EXCLUSIVE MODE", async () => {
      expect(await partitionSteps(connection, { every: 5, last: 10 })).toEqual({ openFrom: 15, isFull: false });
    });
  });

  test("fails while a long query reads, and steps are written meanwhile", async () => {
    const connection = await copiedIndex(chain, 2);
    await during(connection, "SELECT 1 FROM transactions LIMIT 1", async (end) => {
      await expect(partitionSteps(connection, { every: 5, last: 2, lockTimeout: 0 })).rejects.toMatchObject({
        kind: "slow",
        message: "transactions and account_versions are in use, by a long query or a vacuum",
      });
      const writer = await openPostgresWriter(connection);
      await writer.write(chain.steps.slice(2));
      await writer.close();
      await end();
    });
    expect(await partitionSteps(connection, { every: 5, last: STEPS })).toMatchObject({ openFrom: 15 });
  });

  test("has one timeout for all locks together", async () => {
    const connection = await emptyIndex();
    await during(connection, "SELECT 1 FROM transactions LIMIT 1", async () => {
      const closing = withDatabase(connection, (sql) => sql.unsafe(closePartition(0, 5)));
      await expect(closing).rejects.toMatchObject({ code: "57014" });
    });
  });

  test("closes a large partition without a lock that blocks readers", async () => {
    const connection = await copiedIndex(chain);
    await withDatabase(connection, (sql) => sql.unsafe(FILL));
    const others = [5, 7].map((every) => partitionSteps(connection, { every, last: STEPS }));
    expect(new Set([14, 15])).toContain((await Promise.all(others))[0]?.openFrom);
    expect(await boundsOf(connection)).toHaveLength(2);
    expect(await limitsOf(connection)).toBe(0);
  });

  test("closes a large partition only with a valid limit", async () => {
    const connection = await copiedIndex(chain);
    await withDatabase(connection, async (sql) => {
      await sql.unsafe(FILL);
      await sql.unsafe(addLimit(0, 20));
      for (const at of [15, 20])
        await expect(sql.unsafe(closeLimitedPartition(0, at))).rejects.toMatchObject({ code: "22012" });
    });
    expect(await boundsOf(connection)).toEqual([[0, undefined]]);
    expect(await partitionSteps(connection, { every: 15, last: STEPS })).toMatchObject({ openFrom: 15 });
    expect(await limitsOf(connection)).toBe(0);
  });
});

test("a writer names the limit of a killed process, and the next writer removes it", async () => {
  const connection = await copiedIndex(chain, 2);
  const writer = await openPostgresWriter(connection, { holder: "me" });
  await withDatabase(connection, (sql) => sql.unsafe(addLimit(0, 5)));
  await expect(writer.write(chain.steps.slice(2))).rejects.toMatchObject({
    kind: "slow",
    message: expect.stringMatching(/: no partition takes the step: one is being closed below it, .* \(23514\)$/),
  });
  await writer.close();
  const next = await openPostgresWriter(connection, { holder: "me" });
  await next.write(chain.steps.slice(2));
  expect(next.head).toBe(STEPS);
  await next.close();
});

test("a process that is stopped with locked tables loses its locks", async () => {
  const connection = await emptyIndex();
  await partitionSteps(connection, { every: 5, last: 0 });
  const transactions = openTransactions(connection, "migration");
  const { promise: locked, resolve } = Promise.withResolvers<void>();
  const stopped = transactions.run(async (tx) => {
    await tx.unsafe(dropPartition(0));
    resolve();
    // Longer than the test.
    await sleep(120_000, undefined, { ref: false });
  });
  const ended = expect(stopped).rejects.toThrow();
  await locked;
  await withDatabase(connection, (sql) => sql`SELECT 1 FROM transactions LIMIT 1`);
  await ended;
  await transactions.end();
  expect((await boundsOf(connection))[0]).toEqual([0, 5]);
});

describe("dropHistory", () => {
  test("drops a partition while another one is vacuumed", async () => {
    const connection = await partitioned(chain);
    await during(connection, "LOCK TABLE transactions_from_10 IN SHARE UPDATE EXCLUSIVE MODE", async () => {
      expect(await dropHistory(connection, { before: { step: 5 } })).toMatchObject({ firstSeqno: 5 });
    });
  });

  test("copies no version after another process has taken over", async () => {
    const connection = await partitioned(chain);
    await withDatabase(connection, (sql) => sql`UPDATE history SET epoch = 99`);
    // A copy would wait for this lock.
    await during(connection, "LOCK TABLE account_base IN EXCLUSIVE MODE", async () => {
      await expect(dropHistory(connection, { before: { step: 5 } })).rejects.toMatchObject({ kind: "lost" });
    });
  });

  test("does not hide damage of the accounts that earlier drops left", async () => {
    const connection = await partitioned(chain);
    await dropHistory(connection, { before: { step: 5 } });
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 5 });
    await withDatabase(
      connection,
      (sql) => sql`DELETE FROM account_base WHERE account = (SELECT account FROM account_base WHERE NOT EXISTS
        (SELECT 1 FROM account_versions v WHERE v.account = account_base.account) LIMIT 1)`,
    );
    await dropHistory(connection, { before: { step: 10 } });
    await expect(verifyIndex(connection)).rejects.toMatchObject({ kind: "damaged" });
  });
});
