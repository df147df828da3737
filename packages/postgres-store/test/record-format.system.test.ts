/** How a new format of records will come: as a column that old rows have at once, so that no row is written again. */
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { Database } from "../src/client.ts";
import { openPostgresReader, openPostgresWriter, verifyIndex } from "../src/index.ts";
import { copiedIndex, withDatabase } from "./indexes.ts";
import { type ProducedSteps, producedSteps } from "./produced-steps.ts";

const STEPS = 20;
const HALF = STEPS / 2;
const RECORDS = ["blocks", "transactions", "account_versions", "cells"];
let chain: ProducedSteps;

beforeAll(async () => {
  chain = await producedSteps();
});

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
