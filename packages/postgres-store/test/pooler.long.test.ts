/** Readers whose statements PgBouncer gives to different connections of the database, in transaction mode. */
import { accountKey } from "@chain-query/format/store";
import { startPgbouncer } from "@chain-query/testing/services";
import { expect, onTestFinished, test } from "vitest";
import { Databases, type PostgresConnection } from "../src/index.ts";
import { newIndex, producedSteps, STEPS, startReadChain, withDatabase } from "./indexed-chains.ts";

/** The startup parameters of readers and writers. */
const parameters =
  "plan_cache_mode, jit, statement_timeout, default_transaction_read_only, idle_in_transaction_session_timeout";

/** A pooler in front of a database, which can be exchanged. */
async function startPooler(first: PostgresConnection) {
  let target = new URL(first.url);
  const pooler = await startPgbouncer(["postgres"], (port, usersFile) =>
    [
      "[databases]",
      `chain = host=127.0.0.1 port=${target.port} dbname=${target.pathname.slice(1)}`,
      "[pgbouncer]",
      ...[
        "listen_addr = 127.0.0.1",
        `listen_port = ${port}`,
        "unix_socket_dir =",
        "auth_type = trust",
        `auth_file = ${usersFile}`,
      ],
      ...["pool_mode = transaction", `ignore_startup_parameters = ${parameters}`],
    ].join("\n"),
  );
  if ("reason" in pooler) return pooler;
  onTestFinished(() => pooler.stop());
  const connection = { url: `postgres://postgres@127.0.0.1:${pooler.port}/chain` };
  return {
    connection,
    async lead(other: PostgresConnection): Promise<void> {
      target = new URL(other.url);
      await pooler.reload();
      const isThere = () =>
        withDatabase(connection, async (sql) => {
          const [row] = await sql.unsafe<{ name: string }[]>("SELECT current_database() AS name");
          return row?.name === target.pathname.slice(1);
        });
      while (!(await isThere()));
    },
  };
}

test("reads are those of the database, at any number at the same time", async ({ skip }) => {
  await using read = await startReadChain();
  const index = await newIndex(read.steps);
  const pooler = await startPooler(index);
  if ("reason" in pooler) return skip(pooler.reason);
  const [direct, pooled] = [index, pooler.connection].map((primary) => new Databases({ primary, replicas: [] }));
  if (direct === undefined || pooled === undefined) expect.unreachable();
  const all = (databases: Databases) =>
    Promise.all(
      read.accounts.flatMap((account) => [
        databases.primary.reader.account(account, STEPS),
        databases.primary.reader.transactions(account, { aboveLt: 0n }, 10, STEPS),
      ]),
    );
  for (let round = 0; round < 3; round++) expect(await all(pooled)).toEqual(await all(direct));
  expect(await pooled.primary.reader.head()).toEqual(await direct.primary.reader.head());
  expect(await pooled.primary.reader.findKey("absent")).toBeUndefined();
  await Promise.all([direct.close(), pooled.close()]);
});

test("a database that lacks a step gives no rows as of it, also if the pooler had led to another one", async ({ skip }) => {
  const steps = await producedSteps();
  const [whole, lacking] = [await newIndex(steps), await newIndex(steps, steps.steps.length - 1)];
  const pooler = await startPooler(whole);
  if ("reason" in pooler) return skip(pooler.reason);
  const at = steps.steps.length;
  const [changed] = steps.steps.at(-1)?.accounts ?? [];
  if (changed === undefined) expect.unreachable();
  const databases = new Databases({ primary: pooler.connection, replicas: [] });
  const account = () => databases.primary.reader.account(changed.account, at);
  const found = await account();
  await pooler.lead(lacking);
  await expect(account()).rejects.toMatchObject({ kind: "behind" });
  await pooler.lead(whole);
  expect(await account(), accountKey(changed.account).toString("hex")).toEqual(found);
  await databases.close();
});
