/** Partitions of indexes with ranges, beside long queries and after kills. */
import { madeChain } from "@chain-query/local-chain/testing";
import { DAYS } from "@chain-query/testing/chains";
import { inDatabase, type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { beforeAll, describe, expect, test } from "vitest";
import { alone, heldIndex, hold } from "../fuzz/holds.ts";
import { digestOf } from "../fuzz/indexes.ts";
import { boundsOf, FIVES, partitionedIndex, wholeIndex } from "./chains.ts";
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

describe("--partition-steps", () => {
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
      await indexer.until(() => indexer.stderr.includes("the next partition is made later: transactions and account"));
      // Its next attempt may succeed as soon as the query ends.
      await indexer.end("SIGINT");
      await sql`COMMIT`;
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
  test("keeps the steps that the chain retains", async () => {
    const url = await emptyIndex();
    await indexed(url, STEPS);
    const { stdout } = await run(url, "drop", "--before", "1s");
    expect(stdout).toBe("dropped 0 partitions, 0 B; the rest stays: step 23 is younger than the chain's retention, 172800 s\n");
    expect(await boundsOf(url)).toEqual(["0-23", "24-47", "48-"]);
  });

  test("leaves nothing when it is killed before it has the lock of the tables", async () => {
    const url = await partitionedIndex();
    await inDatabase(url, async (reading) => {
      await reading.unsafe("BEGIN; SELECT 1 FROM transactions LIMIT 1");
      const dropping = startProcess(url, "drop", "--before", "22");
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
