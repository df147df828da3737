/** Makes partitions while a chain is indexed, and drops them. */
import { madeChain } from "@chain-query/local-chain/testing";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { DAYS } from "@chain-query/testing/chains";
import { inDatabase, type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { beforeAll, describe, expect, test } from "vitest";
import { alone, heldIndex, hold } from "../fuzz/holds.ts";
import { digestOf, requireRecordsOf } from "../fuzz/indexes.ts";
import { partitionedIndex, wholeIndex } from "./chains.ts";
import { run, start, startProcess } from "./processes.ts";

const STEPS = DAYS.steps;
let chain: string;
let server: PostgresDatabases;
let whole: string;

beforeAll(async () => {
  [server, chain] = await Promise.all([sharedPostgres(), madeChain(DAYS)]);
  whole = await wholeIndex();
});

const emptyIndex = (): Promise<string> => server.createDatabase(heldIndex);

/** An indexer that makes partitions. */
const startIndexer = (url: string, every = 5, starting = start) =>
  starting(url, "run", "--from-chain", chain, "--batch", "3", "--partition-steps", `${every}`);

async function indexed(url: string, every?: number): Promise<void> {
  const indexer = startIndexer(url, every);
  await indexer.reached(STEPS);
  expect((await indexer.end("SIGINT")).code).toBe(0);
}

const boundsOf = async (url: string) =>
  (await readIndexStatus({ url })).partitions.map(({ from, to }) => `${from}-${to ?? ""}`);
const FIVES = ["0-4", "5-9", "10-14", "15-19", "20-24", "25-"];

describe("--partition-steps", () => {
  test("makes partitions while run follows a chain, and changes no row", async () => {
    const url = await emptyIndex();
    await indexed(url);
    expect(await boundsOf(url)).toEqual(FIVES);
    expect(await digestOf(url)).toBe(await digestOf(whole));
    await requireRecordsOf(chain, url);
    expect(await verifyIndex({ url })).toEqual(await verifyIndex({ url: whole }));
  });

  test("makes partitions above the head, where backfills write", async () => {
    const url = await emptyIndex();
    const range = (from: number, to: number) =>
      run(url, "backfill", "--from-chain", chain, "--from", `${from}`, "--to", `${to}`, "--partition-steps", "5");
    expect((await Promise.all([range(8, 11), range(12, 18)])).map(({ code }) => code)).toEqual([0, 0]);
    await indexed(url);
    expect((await boundsOf(url)).slice(-2)).toEqual(FIVES.slice(-2));
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });

  test("makes partitions of an index with a single one", async () => {
    const url = await wholeIndex();
    startIndexer(url);
    await expect.poll(() => boundsOf(url)).toEqual(["0-24", "25-"]);
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });
});

describe("an indexer writes", () => {
  test("while a long query delays the next partition", async () => {
    const url = await emptyIndex();
    await inDatabase(url, async (sql) => {
      await sql.unsafe("BEGIN; SELECT 1 FROM transactions LIMIT 1");
      const indexer = startIndexer(url);
      await indexer.reached(STEPS);
      await sql`COMMIT`;
      expect((await indexer.end("SIGINT")).stderr).toContain("the next partition is made later: transactions and account");
    });
    expect(await boundsOf(url)).toEqual(["0-"]);
    startIndexer(url);
    await expect.poll(() => boundsOf(url)).toEqual(["0-24", "25-"]);
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });

  test("after an indexer was killed while it made a partition", async () => {
    const url = await emptyIndex();
    await inDatabase(url, async (sql) => {
      // More rows than are read under a lock, so that the change takes two commits.
      await sql`INSERT INTO transactions (account, lt, mc_seqno, record) SELECT decode(lpad(to_hex(i), 72, '0'), 'hex'), i, 0,
        decode(repeat('00', 4000), 'hex') FROM generate_series(1, 2500) i`;
      const limits = () => sql`SELECT 1 FROM pg_constraint WHERE conname = 'below_5'`;
      const held = await hold(url, "limit", 5);
      const killed = startIndexer(url, 5, startProcess);
      await killed.until(held.isReached);
      await killed.end("SIGKILL");
      await held.release();
      expect(await limits()).toHaveLength(2);
      await sql`DELETE FROM indexer_lease`;
      await start(url, "run", "--from-chain", chain).reached(STEPS);
      expect(await limits()).toHaveLength(0);
    });
  });
});

describe("drop", () => {
  test("shows and drops partitions, and prints why the rest stays", async () => {
    const url = await partitionedIndex();
    const planned = await run(url, "drop", "--older-than", "12d", "--dry-run");
    const lines = planned.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^would drop steps 0 to 4, made until \d{4}-\d\d-\d\d \d\d:\d\d UTC: [\d.]+ kB$/);
    expect(lines[2]).toMatch(/^would drop 2 partitions, [\d.]+ [kM]B; the rest stays: step 14 is younger than 1036800 s$/);
    expect(await boundsOf(url)).toEqual(FIVES);
    const done = await run(url, "drop", "--older-than", "12d");
    expect(done).toEqual({ ...planned, stdout: planned.stdout.replaceAll("would drop", "dropped") });
    expect(await boundsOf(url)).toEqual(FIVES.slice(2));
    expect((await run(url, "status")).stdout).toMatch(
      /\nhistory {2}from step 10 on; older partitions were dropped\n {9}steps 10 to 14: [\d.]+ kB\n/,
    );
    expect((await run(url, "verify")).stdout).toMatch(
      /^the index is valid: 24 steps, .* accounts, without the steps before 10\n$/,
    );
    const all = await run(url, "drop", "--before-step", "1000000");
    expect(all.stdout).toMatch(/; the rest stays: step 24 is not below the head, 24\n$/);
    expect(await run(url, "drop", "--before-step", "100")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^dropped 0 /),
    });
    const refused = await run(url, "backfill", "--from-chain", chain, "--from", "3", "--to", "9");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("a range must begin at step 20 or later") });
  });

  test("keeps the steps that the chain retains", async () => {
    const url = await emptyIndex();
    await indexed(url, STEPS);
    const { stdout } = await run(url, "drop", "--older-than", "1s");
    expect(stdout).toBe("dropped 0 partitions, 0 B; the rest stays: step 23 is younger than the chain's retention, 172800 s\n");
    expect(await boundsOf(url)).toEqual(["0-23", "24-47", "48-"]);
  });

  test("leaves nothing when it is killed before it has the lock of the tables", async () => {
    const url = await partitionedIndex();
    await inDatabase(url, async (reading) => {
      await reading.unsafe("BEGIN; SELECT 1 FROM transactions LIMIT 1");
      const dropping = startProcess(url, "drop", "--before-step", "22");
      await inDatabase(url, (sql) =>
        dropping.until(async () => {
          const waiting = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND query LIKE '%LOCK TABLE%' AND wait_event_type = 'Lock'`;
          return waiting.length > 0;
        }),
      );
      await dropping.end("SIGKILL");
    });
    await alone(url);
    const [kept] = await inDatabase(
      url,
      (sql) => sql`SELECT (SELECT count(*)::int4 FROM account_base) AS base, first_seqno FROM history`,
    );
    expect(kept).toEqual({ base: 0, first_seqno: 0 });
    expect(await boundsOf(url)).toEqual(FIVES);
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });
});
