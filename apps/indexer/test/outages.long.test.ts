/** Indexers during failures of servers. */
import { madeChain } from "@chain-query/local-chain/testing";
import { verifyIndex } from "@chain-query/postgres-store";
import { SMALL } from "@chain-query/testing/chains";
import { inDatabase, type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { boundsOf } from "./chains.ts";
import { heldIndex, hold } from "./holds.ts";
import { digestOf, indexWhole } from "./indexes.ts";
import { type Outcome, type RunningIndexer, run, start } from "./processes.ts";

const STEPS = SMALL.steps;
let chain: string;
let server: PostgresServer;
let whole: string;

beforeAll(async () => {
  [server, chain] = await Promise.all([startPostgres(), madeChain(SMALL)]);
  await inDatabase(server.urlOf("postgres"), async (sql) => {
    await sql`CREATE ROLE indexer SUPERUSER LOGIN PASSWORD 'pencil'`;
    const [row] = await sql<{ hba_file: string }[]>`SHOW hba_file`;
    const rules = ["all indexer all scram-sha-256", "all all all trust", "replication all all trust"];
    await sql.unsafe(`COPY (VALUES ${rules.map((rule) => `('host ${rule}')`).join(", ")}) TO '${row?.hba_file}'`);
    await sql`SELECT pg_reload_conf()`;
  });
  whole = await emptyIndex();
  await indexWhole(whole, chain);
});
afterAll(() => server.stop());

const emptyIndex = (): Promise<string> => server.createDatabase(heldIndex);

/** Starts an indexer that commits each step separately. */
function startIndexer(url: string, ...more: readonly string[]): RunningIndexer {
  return start(url, "run", "--from-chain", chain, "--batch", "1", "--lease", "2s", ...more);
}

async function expectWhole(indexer: RunningIndexer, url: string): Promise<void> {
  await indexer.reached(STEPS);
  await verifyIndex({ url });
  expect(await digestOf(url)).toBe(await digestOf(whole));
  expect((await indexer.end("SIGINT")).code).toBe(0);
}

/** The URL with a user who needs a password. */
const withPassword = (url: string, password: string): string => url.replace("postgres@", `indexer:${password}@`);

/** The exit code, and the output without log lines. */
function endOf({ code, stdout, stderr }: Outcome): unknown {
  return { code, stdout, lines: stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{")) };
}

test("every command ends with one line if the password is wrong", async () => {
  const url = await server.createDatabase();
  const source = ["--from-chain", chain];
  const commands = [["migrate"], ["run", ...source], ["backfill", ...source, "--back-to", "1"], ["verify"], ["status"]];
  const ends = await Promise.all(commands.map((args) => run(withPassword(url, "crayon"), ...args)));
  const place = `PostgreSQL at ${url.replace("postgres@", "indexer@")}`;
  const line = `chain-query-indexer: ${place}: password authentication failed for user "indexer" (28P01)`;
  for (const end of ends) expect(endOf(end)).toEqual({ code: 2, stdout: "", lines: [line] });
});

test("run ends with one line if there is no such database or user", async () => {
  const source = ["--from-chain", chain];
  const absent = server.urlOf("absent");
  const ends = await Promise.all([absent, absent.replace("postgres@", "stranger@")].map((url) => run(url, "run", ...source)));
  expect(ends.map(endOf)).toEqual([
    { code: 2, stdout: "", lines: [expect.stringMatching(/absent: database "absent" does not exist \(3D000\)$/)] },
    { code: 2, stdout: "", lines: [expect.stringMatching(/absent: role "stranger" does not exist \(28000\)$/)] },
  ]);
});

describe("an indexer waits, reports it, and continues", () => {
  test("while the server is restarted", async () => {
    const url = await emptyIndex();
    await using held = await hold(url, "head", 5);
    const indexer = startIndexer(url);
    await indexer.until(held.isReached);
    await server.restart("immediate");
    await held.release();
    await expectWhole(indexer, url);
  });

  test("while the password has changed", async () => {
    const url = await emptyIndex();
    await using held = await hold(url, "head", 3);
    const indexer = startIndexer(withPassword(url, "pencil"));
    await indexer.until(held.isReached);
    await inDatabase(url, async (sql) => {
      await sql`ALTER ROLE indexer PASSWORD 'crayon'`;
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'indexer'`;
      await held.release();
      await indexer.until(() => /waiting: .*password authentication failed/.test(indexer.stderr));
      await sql`ALTER ROLE indexer PASSWORD 'pencil'`;
    });
    await expectWhole(indexer, url);
  });

  test("while a long query delays the next partition", async () => {
    const url = await emptyIndex();
    await inDatabase(url, async (sql) => {
      await sql.unsafe("BEGIN; SELECT 1 FROM transactions LIMIT 1");
      const indexer = startIndexer(url, "--partition-steps", "5");
      await indexer.reached(STEPS);
      await indexer.until(() => indexer.stderr.includes("the next partition is made later: transactions and account"));
      // Its next attempt may succeed as soon as the query ends.
      await indexer.end("SIGINT");
      await sql`COMMIT`;
    });
    expect(await boundsOf(url)).toEqual(["0-"]);
    const indexer = startIndexer(url, "--partition-steps", "5");
    await expect.poll(() => boundsOf(url)).toEqual(["0-14", "15-"]);
    await expectWhole(indexer, url);
  });
});
