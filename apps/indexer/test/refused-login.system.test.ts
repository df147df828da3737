import { inDatabase, type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heldIndex, hold } from "../fuzz/holds.ts";
import type { Outcome } from "../fuzz/indexer-process.ts";
import { syntheticChain } from "./chains.ts";
import { run, start } from "./processes.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  await inDatabase(server.urlOf("postgres"), async (sql) => {
    await sql`CREATE ROLE indexer SUPERUSER LOGIN PASSWORD 'pencil'`;
    const [row] = await sql<{ hba_file: string }[]>`SHOW hba_file`;
    const rules = "VALUES ('host all indexer all scram-sha-256'), ('host all all all trust')";
    await sql.unsafe(`COPY (${rules}) TO '${row?.hba_file}'`);
    await sql`SELECT pg_reload_conf()`;
  });
});
afterAll(() => server.stop());

/** The URL with a user who needs a password. */
const withPassword = (url: string, password: string): string => url.replace("postgres@", `indexer:${password}@`);

/** The exit code, and the output without log lines. */
function endOf({ code, stdout, stderr }: Outcome): unknown {
  return { code, stdout, lines: stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{")) };
}

test("every command ends with one line if the password is wrong", async () => {
  const [url, chain] = [await server.createDatabase(), await syntheticChain(3)];
  const source = ["--from-chain", chain];
  const commands = [
    ["migrate"],
    ["run", ...source],
    ["backfill", ...source, "--from", "1", "--to", "3"],
    ["verify"],
    ["status"],
  ];
  const ends = await Promise.all(commands.map((args) => run(withPassword(url, "crayon"), ...args)));
  const place = `PostgreSQL at ${url.replace("postgres@", "indexer@")}`;
  const line = `chain-query-indexer: ${place}: password authentication failed for user "indexer" (28P01)`;
  for (const end of ends) expect(endOf(end)).toEqual({ code: 2, stdout: "", lines: [line] });
});

test("run ends with one line if there is no such database or user", async () => {
  const source = ["--from-chain", await syntheticChain(3)];
  const absent = server.urlOf("absent");
  const ends = await Promise.all([absent, absent.replace("postgres@", "stranger@")].map((url) => run(url, "run", ...source)));
  expect(ends.map(endOf)).toEqual([
    { code: 2, stdout: "", lines: [expect.stringMatching(/absent: database "absent" does not exist \(3D000\)$/)] },
    { code: 2, stdout: "", lines: [expect.stringMatching(/absent: role "stranger" does not exist \(28000\)$/)] },
  ]);
});

test("run waits after the password has changed", async () => {
  const [url, chain] = [await server.createDatabase(heldIndex), await syntheticChain(6)];
  await using held = await hold(url, "head", 3);
  const indexer = start(withPassword(url, "pencil"), "run", "--from-chain", chain, "--batch", "1");
  await indexer.until(held.isReached);
  await inDatabase(url, async (sql) => {
    await sql`ALTER ROLE indexer PASSWORD 'crayon'`;
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'indexer'`;
    await held.release();
    await indexer.until(() => /waiting: .*password authentication failed/.test(indexer.stderr));
    await sql`ALTER ROLE indexer PASSWORD 'pencil'`;
  });
  await indexer.reached(6);
  expect((await indexer.end("SIGINT")).code).toBe(0);
});
