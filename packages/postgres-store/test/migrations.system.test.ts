import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { Database } from "../src/database/client.ts";
import { migrate, openPostgresReader, openPostgresWriter, readIndexStatus, verifyIndex } from "../src/index.ts";
import { copiedIndex, emptyDatabase, type ProducedSteps, producedSteps, withDatabase } from "./indexed-chains.ts";

const STEPS = 20;
const HALF = STEPS / 2;
const RECORDS = ["blocks", "transactions", "account_versions", "cells"];
let chain: ProducedSteps;

beforeAll(async () => {
  chain = await producedSteps();
});

test("writers refuse a database without a schema or with a newer one", async () => {
  const connection = await emptyDatabase();
  await expect(openPostgresWriter(connection)).rejects.toMatchObject({
    kind: "schema",
    message: "the database has no index: run chain-query-indexer migrate",
  });
  await migrate(connection);
  await withDatabase(connection, (sql) => sql`INSERT INTO index_version (version) VALUES (99)`);
  const newer = "the schema of the database must be version 1, got 99: use a newer version of this program";
  await expect(openPostgresWriter(connection)).rejects.toMatchObject({ kind: "schema", message: newer });
  await expect(migrate(connection)).rejects.toMatchObject({ kind: "schema", message: newer });
});

test("an index of a version before the first release is refused, and left as it is", async () => {
  const connection = await emptyDatabase();
  await withDatabase(connection, (sql) => sql`CREATE TABLE backfill_ranges AS SELECT 6 AS first_seqno`);
  const old = {
    kind: "schema",
    message:
      "the database has an index of a version before the first release: run migrate on an empty database, and index the chain again",
  };
  for (const use of [migrate, openPostgresWriter, readIndexStatus]) await expect(use(connection)).rejects.toMatchObject(old);
  const tables = await withDatabase(connection, (sql) => sql`SELECT FROM pg_tables WHERE schemaname = 'public'`);
  expect(tables.count).toBe(1);
});

test("concurrent migrations run once", async () => {
  const connection = await emptyDatabase();
  const ran = await Promise.all([migrate(connection), migrate(connection), migrate(connection)]);
  expect(ran.flat().sort()).toEqual([1]);
  expect(await migrate(connection)).toEqual([]);
});

/** A new format of records will be a column, which existing rows have without a rewrite. */
test("a column `format` is added to a filled index without a rewrite, while it is read and written", async () => {
  const connection = await copiedIndex(chain, HALF);
  const [reader, writer] = [openPostgresReader(connection), await openPostgresWriter(connection)];
  onTestFinished(async () => void (await Promise.all([reader.close(), writer.close()])));
  const account = chain.steps.flatMap(({ accounts }) => accounts)[0]?.account;
  if (account === undefined) throw new Error("the steps change no account");
  const history = () => reader.transactions(account, { aboveLt: 0n }, 10, HALF);
  const before = await history();
  expect(before).not.toEqual([]);

  await withDatabase(connection, async (sql) => {
    const files = await filesOf(sql);
    for (const table of RECORDS) await sql.unsafe(`ALTER TABLE ${table} ADD COLUMN format int2 NOT NULL DEFAULT 1`);
    expect(await filesOf(sql)).toEqual(files);
    expect(await history()).toEqual(before);

    await writer.write(chain.steps.slice(HALF, STEPS));
    expect(await history()).toEqual(before);
    const formats = await sql.unsafe("SELECT format, max(mc_seqno) FROM transactions GROUP BY format").values();
    expect(Array.from(formats, (row) => [...row])).toEqual([[1, STEPS]]);
  });
  await verifyIndex(connection);
});

/** The files of all tables, partitions and indexes: a rewrite makes new ones. */
async function filesOf(sql: Database): Promise<readonly (readonly [name: string, file: number])[]> {
  const rows = await sql
    .unsafe(
      `SELECT relname, pg_relation_filenode(oid)::int4 FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') ORDER BY relname`,
    )
    .values();
  expect(rows.length).toBeGreaterThan(RECORDS.length);
  return rows.map(([name, file]) => [String(name), Number(file)]);
}
