/** Partitions that come about while a chain is indexed, and are dropped. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createChain, openProducer } from "@chain-query/local-chain";
import { migrate, readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indexOf } from "../fuzz/chains.ts";
import { digestOf, headOf, inDatabase, requireRecordsOf } from "../fuzz/tables.ts";
import { run, start } from "./processes.ts";

const STEPS = 60;
const folder = mkdtempSync(join(tmpdir(), "chain-query-retention-"));
const chain = join(folder, "chain");
let server: PostgresServer;
let whole: string;

beforeAll(async () => {
  server = await startPostgres();
  // A step a day, so that most are older than the chain's retention.
  await createChain(chain, { seed: 5, accounts: 20, shards: 2, rate: 1, blockInterval: 86_400 });
  const producer = await openProducer(chain);
  await producer.steps(Array.from({ length: STEPS }, () => ({})));
  await producer.close();
  whole = await indexOf(server, chain);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function emptyIndex(): Promise<string> {
  const url = await server.createDatabase();
  await migrate({ url });
  return url;
}

async function indexed(url: string, every = 8): Promise<void> {
  const indexer = start(url, "run", "--from-chain", chain, "--batch", "3", "--partition-steps", `${every}`);
  await expect.poll(() => headOf(url)).toBe(STEPS);
  expect((await indexer.end("SIGINT")).code).toBe(0);
}

const boundsOf = async (url: string) =>
  (await readIndexStatus({ url })).partitions.map(({ from, to }) => `${from}-${to ?? ""}`);
const EIGHTS = ["0-7", "8-15", "16-23", "24-31", "32-39", "40-47", "48-55", "56-63", "64-"];

describe("partitions come about by themselves", () => {
  test("while a chain is followed, and change no row", async () => {
    const url = await emptyIndex();
    await indexed(url);
    expect(await boundsOf(url)).toEqual(EIGHTS);
    expect(await digestOf(url)).toBe(await digestOf(whole));
    await requireRecordsOf(chain, url);
    expect(await verifyIndex({ url })).toEqual(await verifyIndex({ url: whole }));
  });

  test("above the head, where backfills write", async () => {
    const url = await emptyIndex();
    const range = (from: number, to: number) =>
      run(url, "backfill", "--from-chain", chain, "--from", `${from}`, "--to", `${to}`, "--partition-steps", "8");
    expect((await Promise.all([range(20, 29), range(30, 45)])).map(({ code }) => code)).toEqual([0, 0]);
    await indexed(url);
    expect((await boundsOf(url)).slice(-2)).toEqual(EIGHTS.slice(-2));
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });

  test("of an index that had none, while it is read", async () => {
    const url = await indexOf(server, chain);
    start(url, "run", "--from-chain", chain, "--partition-steps", "8");
    await expect.poll(() => boundsOf(url)).toEqual(["0-63", "64-"]);
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });
});

describe("partitions stop no writing", () => {
  test("while a query reads for long", async () => {
    const url = await emptyIndex();
    await inDatabase(url, async (sql) => {
      await sql.unsafe("BEGIN; SELECT 1 FROM transactions LIMIT 1");
      const indexer = start(url, "run", "--from-chain", chain, "--batch", "3", "--partition-steps", "8");
      await expect.poll(() => headOf(url)).toBe(STEPS);
      await sql`COMMIT`;
      expect((await indexer.end("SIGINT")).stderr).toContain("the next partition is made later: transactions and account");
    });
    expect(await boundsOf(url)).toEqual(["0-"]);
    start(url, "run", "--from-chain", chain, "--partition-steps", "8");
    await expect.poll(() => boundsOf(url)).toEqual(["0-63", "64-"]);
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });

  test("after one that made them was killed, and without them", async () => {
    const url = await emptyIndex();
    await inDatabase(url, async (sql) => {
      // More than is read under a lock, so that there are two commits.
      await sql`INSERT INTO transactions (account, lt, mc_seqno, record) SELECT decode(lpad(to_hex(i), 72, '0'), 'hex'), i, 0,
        decode(repeat('00', 4000), 'hex') FROM generate_series(1, 10000) i`;
      const killed = start(url, "run", "--from-chain", chain, "--batch", "3", "--partition-steps", "8");
      const limits = () => sql`SELECT 1 FROM pg_constraint WHERE conname = 'below_8'`;
      await expect.poll(async () => (await limits()).length, { interval: 1 }).toBe(2);
      await killed.end("SIGKILL");
      expect(await limits()).toHaveLength(2);
      await sql`DELETE FROM indexer_lease`;
      start(url, "run", "--from-chain", chain);
      await expect.poll(() => headOf(url)).toBe(STEPS);
      expect(await limits()).toHaveLength(0);
    });
  });
});

describe("drop", () => {
  test("says what it would drop, drops it, and says why the rest stays", async () => {
    const url = await emptyIndex();
    await indexed(url);
    const planned = await run(url, "drop", "--older-than", "30d", "--dry-run");
    const lines = planned.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^would drop steps 0 to 7, made until \d{4}-\d\d-\d\d \d\d:\d\d UTC: [\d.]+ kB$/);
    expect(lines[3]).toMatch(/^would drop 3 partitions, [\d.]+ [kM]B; the rest stays: step 31 is younger than 2592000 s$/);
    expect(await boundsOf(url)).toEqual(EIGHTS);
    const done = await run(url, "drop", "--older-than", "30d");
    expect(done).toEqual({ ...planned, stdout: planned.stdout.replaceAll("would drop", "dropped") });
    expect(await boundsOf(url)).toEqual(EIGHTS.slice(3));
    expect((await run(url, "status")).stdout).toMatch(
      /\nhistory {2}from step 24 on; older partitions were dropped\n {9}steps 24 to 31: [\d.]+ kB\n/,
    );
    expect((await run(url, "verify")).stdout).toMatch(
      /^the index is right: 60 steps, .* accounts, without the steps before 24\n$/,
    );
    const all = await run(url, "drop", "--before-step", "1000000");
    expect(all.stdout).toMatch(/; the rest stays: step 63 is not below the head, 60\n$/);
    expect(await run(url, "drop", "--before-step", "100")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^dropped 0 /),
    });
    const refused = await run(url, "backfill", "--from-chain", chain, "--from", "3", "--to", "9");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("a range must begin at step 56 or later") });
  });

  test("keeps what the chain retains, at every age that is asked for", async () => {
    const url = await emptyIndex();
    await indexed(url, STEPS);
    const { stdout } = await run(url, "drop", "--older-than", "1s");
    expect(stdout).toBe("dropped 0 partitions, 0 B; the rest stays: step 59 is younger than the chain's retention, 172800 s\n");
    expect(await boundsOf(url)).toEqual(["0-59", "60-119", "120-"]);
  });

  test("leaves a whole index when it is killed, at any moment", async () => {
    const url = await emptyIndex();
    await indexed(url);
    for (let kill = 0; kill < 12; kill++) {
      // The one before would keep the lease for 20 seconds.
      await inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);
      const dropping = start(url, "drop", "--before-step", "50");
      const hasBegun = () => inDatabase(url, async (sql) => (await sql`SELECT 1 FROM indexer_lease`).length > 0);
      await expect.poll(hasBegun, { interval: 1 }).toBe(true);
      await sleep(Math.random() * 40);
      await dropping.end("SIGKILL");
      await expect.poll(() => isAlone(url)).toBe(true);
      const { firstSeqno, partitions } = await readIndexStatus({ url });
      expect(partitions[0]?.from).toBe(firstSeqno);
      expect(await verifyIndex({ url })).toMatchObject({ firstSeqno, steps: STEPS });
    }
    await inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);
    expect((await run(url, "drop", "--before-step", "50")).code).toBe(0);
    expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 48 });
  });

  test("leaves nothing when it is killed before it has the lock of the tables", async () => {
    const url = await emptyIndex();
    await indexed(url);
    await inDatabase(url, async (sql) => {
      await sql.unsafe("BEGIN; SELECT 1 FROM transactions LIMIT 1");
      const dropping = start(url, "drop", "--before-step", "50");
      const waits = () =>
        inDatabase(
          url,
          (other) =>
            other`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%LOCK TABLE%' AND wait_event_type = 'Lock'`,
        );
      await expect.poll(async () => (await waits()).length, { interval: 5 }).toBe(1);
      await dropping.end("SIGKILL");
      await sql`COMMIT`;
      await expect.poll(() => isAlone(url)).toBe(true);
      const [kept] = await sql`SELECT (SELECT count(*)::int4 FROM account_base) AS base, first_seqno FROM history`;
      expect(kept).toEqual({ base: 0, first_seqno: 0 });
    });
    expect(await boundsOf(url)).toEqual(EIGHTS);
    expect(await digestOf(url)).toBe(await digestOf(whole));
  });
});

/** Whether PostgreSQL has noticed that the others are gone. */
function isAlone(url: string): Promise<boolean> {
  return inDatabase(url, async (sql) => {
    const others =
      await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'chain-query history'`;
    return others.length === 0;
  });
}
