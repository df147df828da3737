import type { Step } from "@chain-query/format/store";
import { SMALL } from "@chain-query/testing/chains";
import { beforeAll, expect, test } from "vitest";
import { headRowRecord } from "../src/database/head-record.ts";
import { openPostgresWriter, type PostgresConnection } from "../src/index.ts";
import { type BulkRow, encodeAccounts, encodeSteps, TABLES } from "../src/writing/encode-steps.ts";
import { collected, copiedIndex, type ProducedSteps, producedSteps, withDatabase, writtenIndex } from "./indexed-chains.ts";

const STEPS = 24;
let chain: ProducedSteps;
let other: ProducedSteps;

beforeAll(async () => {
  [chain, other] = await Promise.all([producedSteps(), producedSteps(SMALL)]);
});

test("writes all rows of the zero state and of the steps, and the head", async () => {
  const connection = await writtenIndex(chain, [chain.steps.slice(0, 1), chain.steps.slice(1, 20), chain.steps.slice(20)]);
  await expectWhole(connection, STEPS);
});

test("a writer continues after the last step of the previous one", async () => {
  const connection = await copiedIndex(chain, 10);
  const writer = await openPostgresWriter(connection);
  expect(writer.head).toBe(10);
  await writer.begin(chain.genesis);
  await writer.write(chain.steps.slice(10));
  expect(writer.head).toBe(STEPS);
  await writer.close();
  await expectWhole(connection, STEPS);
});

test("existing rows above the head stay unchanged", async () => {
  const connection = await copiedIndex(chain, 10);
  await withDatabase(connection, async (sql) => {
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

test("an existing row with other bytes is damage", async () => {
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

test("refuses the genesis and the steps of another chain", async () => {
  const connection = await copiedIndex(chain, 10);
  const writer = await openPostgresWriter(connection);
  await expect(writer.begin(other.genesis)).rejects.toMatchObject({ kind: "other-chain" });
  await expect(writer.write(other.steps.slice(10))).rejects.toMatchObject({ kind: "fork" });
  await writer.write(chain.steps.slice(10));
  await writer.close();
  await expectWhole(connection, STEPS);
});

test("refuses the genesis of another chain while another writer has the lease", async () => {
  const connection = await copiedIndex(chain, 10);
  const writer = await openPostgresWriter(connection);
  const openStandby = ({ genesis }: ProducedSteps) => openPostgresWriter(connection, { genesis });
  await expect(openStandby(other)).rejects.toMatchObject({ kind: "other-chain" });
  await expect(openStandby(chain)).rejects.toMatchObject({ kind: "busy" });
  await writer.close();
});

test("refuses steps that do not follow the head", async () => {
  const writer = await openPostgresWriter(await copiedIndex(chain, 3));
  await expect(writer.write(chain.steps.slice(4, 5))).rejects.toThrow("the step after 3 must be 4, got 5");
  await writer.close();
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
