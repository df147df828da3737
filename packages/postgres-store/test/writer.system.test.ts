import type { Step } from "@chain-query/chain-store";
import { beforeAll, describe, expect, test } from "vitest";
import { headRowRecord } from "../src/head-record.ts";
import { migrate, openPostgresBackfill, openPostgresWriter, type PostgresConnection } from "../src/index.ts";
import type { BulkRow } from "../src/writing/copy.ts";
import { encodeAccounts, encodeSteps, TABLES } from "../src/writing/encode-steps.ts";
import { copiedIndex, emptyDatabase, emptyIndex, withDatabase, writtenIndex } from "./indexes.ts";
import { collected, type ProducedSteps, producedSteps, SMALL } from "./produced-steps.ts";

const STEPS = 24;
let chain: ProducedSteps;
let other: ProducedSteps;

beforeAll(async () => {
  [chain, other] = await Promise.all([producedSteps(), producedSteps(SMALL)]);
});

describe.each(["atomic", "two-phase"] as const)("publishing is %s", (publish) => {
  test("writes all rows of the zero state and of the steps, and the head", async () => {
    const connection = await writtenIndex(chain, [chain.steps.slice(0, 1), chain.steps.slice(1, 20), chain.steps.slice(20)], {
      publish,
    });
    await expectWhole(connection, STEPS);
  });
});

test("goes on where another writer ended", async () => {
  const connection = await copiedIndex(chain, 10);
  const writer = await openPostgresWriter(connection);
  expect(writer.head).toBe(10);
  await writer.begin(chain.genesis);
  await writer.write(chain.steps.slice(10));
  expect(writer.head).toBe(STEPS);
  await writer.close();
  await expectWhole(connection, STEPS);
});

test("rows that are there already are left as they are", async () => {
  const connection = await copiedIndex(chain, 10);
  await withDatabase(connection, async (sql) => {
    // As after a two-phase writer that ended before it moved the head.
    const before = await sql`SELECT record FROM head`;
    const writer = await openPostgresWriter(connection);
    await writer.write(chain.steps.slice(10, 12));
    await writer.close();
    await sql`UPDATE head SET seqno = 10, record = ${before[0]?.["record"]}`;
  });
  const writer = await openPostgresWriter(connection);
  await writer.write(chain.steps.slice(10));
  await writer.close();
  await expectWhole(connection, STEPS);
});

test("another row in the place of one is damage", async () => {
  const connection = await copiedIndex(chain, 10);
  const [row] = encodeSteps(chain.steps.slice(10, 11), new Set()).versions;
  await withDatabase(connection, (sql) => sql`INSERT INTO account_versions VALUES (${row?.[0] as Buffer}, 11, '\\x00')`);
  const writer = await openPostgresWriter(connection);
  await expect(writer.write(chain.steps.slice(10, 11))).rejects.toMatchObject({
    kind: "damaged",
    message: expect.stringMatching(/^table account_versions has another row [0-9a-f]{72} 11$/),
  });
  await writer.close();
});

test("another chain is refused, at its genesis and in its steps", async () => {
  const connection = await copiedIndex(chain, 10);
  const writer = await openPostgresWriter(connection);
  await expect(writer.begin(other.genesis)).rejects.toMatchObject({ kind: "foreign" });
  await expect(writer.write(other.steps.slice(10))).rejects.toMatchObject({ kind: "foreign" });
  await writer.write(chain.steps.slice(10));
  await writer.close();
  await expectWhole(connection, STEPS);
});

test("the head jumps over ranges that were written beside it", async () => {
  const connection = await emptyIndex();
  const last = await openPostgresBackfill(connection, { from: 17, to: 20 });
  await last.begin(chain.genesis);
  const first = await openPostgresBackfill(connection, { from: 6, to: 16 });
  await Promise.all([last.write(chain.steps.slice(16, 20)), first.write(chain.steps.slice(5, 12))]);
  await Promise.all([last.close(), first.close()]);

  const writer = await openPostgresWriter(connection);
  await writer.begin(chain.genesis);
  await writer.write(chain.steps.slice(0, 5));
  // The first range follows the head, but is not finished.
  expect([await writer.joinRanges(), writer.head]).toEqual([17, 12]);
  await writer.write(chain.steps.slice(12, 16));
  expect([await writer.joinRanges(), writer.head]).toEqual([undefined, 20]);
  await writer.write(chain.steps.slice(20));
  await writer.close();
  await expectWhole(connection, STEPS);
});

test("a backfill that goes on after the last end of its process writes the rest of its range", async () => {
  const connection = await emptyIndex();
  const first = await openPostgresBackfill(connection, { from: 3, to: 8 });
  await first.begin(chain.genesis);
  await first.write(chain.steps.slice(2, 5));
  await first.close();
  const resumed = await openPostgresBackfill(connection, { from: 3, to: 8 });
  expect([resumed.next, resumed.to]).toEqual([6, 8]);
  await resumed.write(chain.steps.slice(5, 8));
  await resumed.close();
  const writer = await openPostgresWriter(connection);
  await writer.write(chain.steps.slice(0, 2));
  expect([await writer.joinRanges(), writer.head]).toEqual([undefined, 8]);
  await writer.close();
  await expectWhole(connection, 8);
});

test.each([0, 4])(
  "the head joins what is written of a range that it reaches, and ends its backfill: %i steps",
  async (written) => {
    const connection = await copiedIndex(chain, 5);
    const backfill = await openPostgresBackfill(connection, { from: 6, to: 20 });
    if (written > 0) await backfill.write(chain.steps.slice(5, 5 + written));
    const writer = await openPostgresWriter(connection);
    expect([await writer.joinRanges(), writer.head]).toEqual([undefined, 5 + written]);
    const end = { to: 5 + written, next: 6 + written };
    // The first write learns that the range has ended, and writes nothing; so does a later backfill of it.
    await backfill.write(chain.steps.slice(5 + written, 10));
    expect(backfill).toMatchObject(end);
    await backfill.close();
    if (written === 0) {
      const late = await openPostgresBackfill(connection, { from: 6, to: 20 });
      expect(late).toMatchObject(end);
      await late.close();
    }
    await expectWhole(connection, 5 + written);
    await writer.write(chain.steps.slice(5 + written));
    await writer.close();
    await expectWhole(connection, STEPS);
  },
);

test("a range of another chain is not joined, and ranges do not overlap", async () => {
  const connection = await copiedIndex(chain, 10);
  const backfill = await openPostgresBackfill(connection, { from: 11, to: 11 });
  await expect(backfill.begin(other.genesis)).rejects.toMatchObject({ kind: "foreign" });
  await backfill.write(other.steps.slice(10));
  await backfill.close();
  const writer = await openPostgresWriter(connection);
  await expect(writer.joinRanges()).rejects.toMatchObject({ kind: "foreign" });
  await writer.close();
  await expect(openPostgresBackfill(connection, { from: 5, to: 11 })).rejects.toThrow(
    "the range 5 to 11 must not overlap the range 11 to 11 of an earlier backfill",
  );
});

test("steps that do not follow the head are refused", async () => {
  const writer = await openPostgresWriter(await copiedIndex(chain, 3));
  await expect(writer.write(chain.steps.slice(4, 5))).rejects.toThrow("the step after 3 must be 4, got 5");
  await writer.close();
});

test("a database without a schema, or with a newer one, is refused", async () => {
  const connection = await emptyDatabase();
  await expect(openPostgresWriter(connection)).rejects.toMatchObject({
    kind: "schema",
    message: "the database has no index: run chain-query-indexer migrate",
  });
  await migrate(connection);
  await withDatabase(connection, (sql) => sql`INSERT INTO schema_version (version) VALUES (99)`);
  const newer = "the schema of the database must be version 3, got 99: use a newer version of this program";
  await expect(openPostgresWriter(connection)).rejects.toMatchObject({ kind: "schema", message: newer });
  await expect(migrate(connection)).rejects.toMatchObject({ kind: "schema", message: newer });
});

test("migrations that run at the same time run once", async () => {
  const connection = await emptyDatabase();
  const ran = await Promise.all([migrate(connection), migrate(connection), migrate(connection)]);
  expect(ran.flat().sort()).toEqual([1, 2, 3]);
  expect(await migrate(connection)).toEqual([]);
});

async function expectWhole(connection: PostgresConnection, count: number): Promise<void> {
  const steps = chain.steps.slice(0, count);
  const { transactions, ...expected } = await expectedRows(steps);
  await withDatabase(connection, async (sql) => {
    for (const [name, rows] of Object.entries({ transactions, ...expected })) {
      const { name: table, columns } = TABLES[name as keyof typeof TABLES];
      const found = await sql.unsafe(`SELECT ${columns.map(([column]) => column).join(", ")} FROM ${table}`).values();
      expect(textOf(found)).toEqual(rows);
    }
    const [head] = await sql`SELECT seqno, record FROM head`;
    expect(head?.["seqno"]).toBe(count);
    const { transactionCount, shards } = headRowRecord.decode(head?.["record"]);
    expect(transactionCount).toBe(BigInt(transactions.length));
    const newest = [steps.at(-1)?.masterchain, ...(steps.at(-1)?.shards ?? [])];
    expect(shards.map(({ id }) => id)).toEqual(newest.map((block) => block?.id));
  });
}

type Rows = Readonly<Record<"cells" | "transactions" | "versions" | "blocks", readonly string[]>>;
const known = new Map<number, Rows>();

/** The rows of the zero state and of steps, sorted. */
async function expectedRows(steps: readonly Step[]): Promise<Rows> {
  const before = known.get(steps.length);
  if (before) return before;
  const zeroState = encodeAccounts(await collected(chain.genesis.accounts()), new Set());
  const cells = zeroState.cells.map(([hash]) => Buffer.from(hash as Uint8Array).toString("latin1"));
  const encoded = encodeSteps(steps, new Set(cells));
  const rowsOf = (name: keyof Rows) => textOf([...zeroState[name], ...encoded[name]]);
  const rows = {
    ...{ cells: rowsOf("cells"), transactions: rowsOf("transactions") },
    ...{ versions: rowsOf("versions"), blocks: rowsOf("blocks") },
  };
  known.set(steps.length, rows);
  return rows;
}

function textOf(rows: Iterable<readonly unknown[] | BulkRow>): string[] {
  const text = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : `${value}`);
  return Array.from(rows, (row) => row.map(text).join(" ")).sort();
}
