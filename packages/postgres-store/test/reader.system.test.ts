import { FROZEN } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresWriter, type PostgresConnection, readIndexStatus } from "../src/index.ts";
import { compareIndex, WHOLE } from "./compare-index.ts";
import { copiedIndex, openTestReader, type ReadChain, STEPS, startReadChain, withDatabase } from "./indexed-chains.ts";

let read: ReadChain;
beforeAll(async () => {
  read = await startReadChain();
});
afterAll(() => read?.[Symbol.asyncDispose]());

test("as of a head, the reader finds the data of the LMDB store", async () => {
  await using frozen = await startReadChain(FROZEN);
  expect(await compareIndex(frozen, frozen.reader, { heads: [0, 7, FROZEN.steps], sample: 6 })).toMatchObject(WHOLE);
});

test("the head and the chain are the same as in the LMDB store", async () => {
  const head = await read.reader.head();
  expect(head).toEqual(read.chain.head());
  expect((await read.reader.chain()).masterchain).toEqual(read.chain.genesis().block);
  expect(await read.reader.head()).toBe(head);
});

test("numbers that the database cannot hold find nothing", async () => {
  const [account] = read.accounts;
  if (!account) throw new Error("the chain has no account");
  const huge = 2n ** 64n - 1n;
  expect(await read.reader.transactions(account, { fromLt: huge, aboveLt: 0n }, 5, STEPS)).toEqual([]);
  expect(await read.reader.transactions(account, { aboveLt: huge }, 5, STEPS)).toEqual([]);
  const message = { source: account, destination: account, createdLt: huge };
  expect([await read.reader.findSender(message, STEPS), await read.reader.findReceiver(message, STEPS)]).toEqual([
    undefined,
    undefined,
  ]);
  const shard = read.chain.head().block.id;
  for (const selector of [{ seqno: 2 ** 32 - 1 }, { lt: huge }, { time: 2 ** 32 - 1 }])
    expect(await read.reader.block(shard, selector, STEPS)).toBeUndefined();
});

test("the record of a head that did not move is not sent again", async () => {
  const own = await copiedIndex(read.steps);
  const other = openTestReader(own);
  const head = await other.head();
  await withDatabase(own, (sql) => sql`UPDATE head SET record = ''`);
  expect(await other.head()).toBe(head);
  await withDatabase(own, (sql) => sql`UPDATE head SET seqno = seqno + 1`);
  await expect(other.head()).rejects.toMatchObject({ kind: "damaged" });
  await other.close();
});

describe("a pooler in front of the database, whose sessions get another number of their process", () => {
  /** Makes each statement return a process as it would behind a pooler. */
  async function pooled(process: string): Promise<PostgresConnection> {
    const connection = await copiedIndex(read.steps);
    await withDatabase(connection, async (sql) => {
      await sql.unsafe(`CREATE FUNCTION public.pg_backend_pid() RETURNS int LANGUAGE sql RETURN ${process}`);
      await sql.unsafe(`ALTER DATABASE ${new URL(connection.url).pathname.slice(1)} SET search_path = public, pg_catalog`);
    });
    return connection;
  }

  test("is used if each session has a process of its own", async () => {
    const connection = await pooled("pg_catalog.pg_backend_pid() + 1");
    const reader = openTestReader(connection);
    expect((await reader.head()).block.id.seqno).toBe(STEPS);
    await (await openPostgresWriter(connection)).close();
    await reader.close();
  });

  test.each([
    ["share one", "7"],
    ["change it", "((extract(epoch FROM clock_timestamp()) * 1000000)::bigint % 2147483647)::int"],
  ])("is refused by readers and writers if sessions %s: its mode is transaction", async (_, process) => {
    const connection = await pooled(process);
    const reader = openTestReader(connection);
    const refused = {
      kind: "refused",
      isRetryable: false,
      message: expect.stringMatching(/^PostgreSQL at [^ \n]+: a pooler in transaction mode is in between: [^\n]+$/),
    };
    for (const attempt of [() => reader.head(), () => openPostgresWriter(connection), () => readIndexStatus(connection)])
      await expect(attempt()).rejects.toMatchObject(refused);
    await reader.close();
  });
});
