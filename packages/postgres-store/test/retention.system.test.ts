import { type AccountId, accountKey, type MessageKey, type StepGenesis } from "@chain-query/chain-store";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  DroppedHistoryError,
  dropHistory,
  openPostgresBackfill,
  openPostgresReader,
  openPostgresWriter,
  type PostgresConnection,
  type PostgresReader,
  partitionSteps,
  readIndexStatus,
  verifyIndex,
} from "../src/index.ts";
import { emptyIndex, withDatabase, writtenIndex } from "./indexes.ts";
import { type ProducedSteps, producedSteps } from "./produced-steps.ts";

const [STEPS, EVERY] = [24, 5];
let server: PostgresServer;
let chain: ProducedSteps;
let whole: PostgresConnection;
let right: PostgresReader;
/** Every account that any step changes. */
let accounts: readonly AccountId[];

beforeAll(async () => {
  [server, chain] = await Promise.all([startPostgres(), producedSteps(STEPS)]);
  whole = await writtenIndex(server, chain, [chain.steps]);
  right = openPostgresReader(whole);
  const changed = chain.steps.flatMap((step) => step.accounts.map(({ account }) => account));
  const quiet: AccountId[] = [];
  for await (const { account } of chain.genesis.accounts()) quiet.push(account);
  accounts = [...new Map([...quiet, ...changed].map((one) => [accountKey(one).toString("hex"), one])).values()];
});
afterAll(async () => {
  await right?.close();
  await server?.stop();
});

/** An index with partitions 0 to 4, 5 to 9, and so on. */
async function partitioned(genesis: StepGenesis = chain.genesis): Promise<PostgresConnection> {
  const connection = await emptyIndex(server);
  const writer = await openPostgresWriter(connection);
  await writer.begin(genesis);
  for (const step of chain.steps) {
    await partitionSteps(connection, { every: EVERY, last: writer.head });
    await writer.write([step]);
  }
  await writer.close();
  return connection;
}

async function withReader(connection: PostgresConnection, use: (reader: PostgresReader) => Promise<void>): Promise<void> {
  const reader = openPostgresReader(connection);
  try {
    await use(reader);
  } finally {
    await reader.close();
  }
}

/** All questions about accounts and their messages as of a head. */
async function* questions(at: number) {
  for (const account of accounts) {
    yield { name: "account", ask: (reader: PostgresReader) => reader.account(account, at) };
    for (const limit of [1, 7, 1000]) {
      const page = {
        name: "page",
        limit,
        ask: (reader: PostgresReader) => reader.transactions(account, { aboveLt: 0n }, limit, at),
      };
      yield page;
      if (limit !== 1000) continue;
      for (const { id, outMessages } of await page.ask(right)) {
        const range = { fromLt: id.lt, aboveLt: 0n };
        yield { name: "page", limit: 3, ask: (reader: PostgresReader) => reader.transactions(account, range, 3, at) };
        for (const { source, destination, createdLt } of outMessages) {
          if (!source || !destination) continue;
          const message: MessageKey = { source, destination, createdLt };
          yield { name: "sender", ask: (reader: PostgresReader) => reader.findSender(message, at) };
          yield { name: "receiver", ask: (reader: PostgresReader) => reader.findReceiver(message, at) };
        }
      }
    }
  }
}

/** Asks the same of a whole index, and counts how the other one answers. Its pages may end where history was dropped. */
async function compare(reader: PostgresReader, at: number, firstSeqno: number) {
  const counts = { same: 0, short: 0, dropped: 0 };
  for await (const { name, ask } of questions(at)) {
    const [expected, found] = await Promise.all([ask(right), ask(reader).catch((error: unknown) => error)]);
    if (found instanceof DroppedHistoryError) {
      expect(found).toMatchObject({ kind: "dropped", firstSeqno });
      // Never an error about what is there.
      const newest = [expected].flat()[0];
      if (name !== "account" && newest && "masterchainSeqno" in newest)
        expect(newest.masterchainSeqno).toBeLessThan(firstSeqno);
      if (name === "account") expect(at).toBeLessThan(firstSeqno);
      counts.dropped += 1;
    } else if (Array.isArray(expected) && Array.isArray(found) && found.length < expected.length) {
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(expected.slice(0, found.length));
      expect(expected[found.length]?.masterchainSeqno).toBeLessThan(firstSeqno);
      counts.short += 1;
    } else {
      expect(found).toEqual(expected);
      counts.same += 1;
    }
  }
  return counts;
}

describe("an index with several partitions", () => {
  test("answers as one with a single partition, and is verified", async () => {
    const connection = await partitioned();
    expect((await readIndexStatus(connection)).partitions.map(({ from, to }) => [from, to])).toEqual(
      [...[0, 5, 10, 15, 20].map((from) => [from, from + EVERY - 1]), [25, undefined]].filter(
        ([from]) => (from ?? 0) < STEPS + EVERY,
      ),
    );
    await withReader(connection, async (reader) => {
      for (const at of [0, 3, 12, STEPS]) expect(await compare(reader, at, 0)).toMatchObject({ short: 0, dropped: 0 });
    });
    expect(await verifyIndex(connection)).toEqual(await verifyIndex(whole));
  });
});

describe("an index whose old partitions were dropped", () => {
  test("answers right, short or not at all, and never wrong", async () => {
    const connection = await partitioned();
    const planned = await dropHistory(connection, { beforeStep: 15, dryRun: true });
    expect(await dropHistory(connection, { beforeStep: 15, dryRun: true })).toEqual(planned);
    const { dropped, firstSeqno, kept } = await dropHistory(connection, { beforeStep: 15 });
    expect({ dropped, kept }).toEqual({ dropped: planned.dropped, kept: planned.kept });
    expect(dropped.map(({ from, to }) => [from, to])).toEqual([
      [0, 4],
      [5, 9],
      [10, 14],
    ]);
    expect({ firstSeqno, kept }).toEqual({ firstSeqno: 15, kept: "step 19 is not before 15" });
    const counts = { same: 0, short: 0, dropped: 0 };
    for (const at of [STEPS, 19, 15, 14, 3]) {
      // A reader that knows the partitions as of another step looks into others first.
      await withReader(connection, async (reader) => {
        const { same, short, dropped } = await compare(reader, at, 15);
        counts.same += same;
        counts.short += short;
        counts.dropped += dropped;
      });
    }
    await withReader(connection, async (reader) => {
      for (const { masterchain, shards } of chain.steps)
        for (const { id } of [masterchain, ...shards])
          expect(await reader.block(id, { seqno: id.seqno }, STEPS)).toEqual(await right.block(id, { seqno: id.seqno }, STEPS));
    });
    expect(Math.min(counts.same, counts.short, counts.dropped)).toBeGreaterThan(50);
    const { transactions, ...verified } = await verifyIndex(whole);
    expect(await verifyIndex(connection)).toEqual({ ...verified, transactions: expect.any(Number), firstSeqno: 15 });
    await expect(openPostgresBackfill(connection, { from: 14, to: 30 })).rejects.toThrow(
      /^a range must begin at step 15 or later, since older steps were dropped, got 14$/,
    );
  });

  test("gets right answers, short pages or none while it is dropped", async () => {
    const connection = await partitioned();
    await withReader(connection, async (reader) => {
      let isDone = false;
      const counts = { same: 0, short: 0, dropped: 0 };
      const read = async () => {
        while (!isDone) {
          for await (const { name, ask } of questions(STEPS)) {
            if (isDone) return;
            const [expected, found] = await Promise.all([ask(right), ask(reader).catch((error: unknown) => error)]);
            if (found instanceof DroppedHistoryError) {
              expect(name).not.toBe("account");
              counts.dropped += 1;
            } else if (Array.isArray(found) && Array.isArray(expected)) {
              expect(found).toEqual(expected.slice(0, found.length));
              expect(found.length > 0 || expected.length === 0).toBe(true);
              counts[found.length < expected.length ? "short" : "same"] += 1;
            } else {
              expect(found).toEqual(expected);
              counts.same += 1;
            }
          }
        }
      };
      const readers = [read(), read(), read()];
      for (const beforeStep of [5, 10, 15, 20]) {
        expect((await dropHistory(connection, { beforeStep })).firstSeqno).toBe(beforeStep);
        await partitionSteps(connection, { every: EVERY, last: STEPS + beforeStep });
      }
      isDone = true;
      await Promise.all(readers);
      expect(Math.min(counts.same, counts.short, counts.dropped)).toBeGreaterThan(0);
    });
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 20 });
  });

  test.each([
    [
      "a byte of what an account was",
      "UPDATE account_base SET record = set_byte(record, 40, get_byte(record, 40) # 1)",
      /cannot be read/,
    ],
    ["an account", "DELETE FROM account_base", /^(?:number of accounts that dropped steps left|previous lt|hash of the state)/],
    ["the step of an account", "UPDATE account_base SET mc_seqno = 20", /was not dropped$/],
    ["the step of an account, as if it was never dropped", "UPDATE account_base SET mc_seqno = 0", /^digest of the accounts/],
    [
      "a lower boundary",
      "UPDATE history SET first_seqno = first_seqno - 1",
      /^the first step that was not dropped is 9 and should be 10$/,
    ],
    [
      "a higher boundary",
      "UPDATE history SET first_seqno = first_seqno + 3",
      /^the first step that was not dropped is 13 and should be 10$/,
    ],
    [
      "the end of dropped steps",
      "UPDATE history SET end_lt = 0",
      /^the end of dropped steps in logical time is 0 and should be [1-9]\d*$/,
    ],
  ])("with a change of %s is found by verify", async (_what, change, fault) => {
    const connection = await partitioned();
    await dropHistory(connection, { beforeStep: 10 });
    const condition = change.includes("account_base")
      ? "WHERE account = (SELECT account FROM account_base WHERE mc_seqno > 0 ORDER BY account DESC LIMIT 1)"
      : "";
    await withDatabase(connection, (sql) => sql.unsafe(`${change} ${condition}`));
    await expect(verifyIndex(connection)).rejects.toMatchObject({ kind: "damaged", message: expect.stringMatching(fault) });
  });
});

describe("dropping", () => {
  test("keeps what is not below the head", async () => {
    const connection = await partitioned();
    const { dropped, kept } = await dropHistory(connection, {});
    expect(dropped.at(-1)?.to).toBe(19);
    expect(kept).toMatch(/^step 24 is not below the head, 24$/);
    expect(await dropHistory(connection, {})).toEqual({ dropped: [], firstSeqno: 20, kept });
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 20 });
  });

  test("keeps the newest partition", async () => {
    const { dropped, kept } = await dropHistory(await writtenIndex(server, chain, [chain.steps]), {});
    expect({ dropped, kept }).toEqual({ dropped: [], kept: "step 0 begins the newest partition" });
  });

  test("keeps what the chain retains, at any age that is asked for", async () => {
    const retentionSeconds = 12 * 86_400;
    const connection = await partitioned({ ...chain.genesis, retentionSeconds });
    const { dropped, kept } = await dropHistory(connection, { olderThan: 1 });
    expect(dropped.map(({ to }) => to)).toEqual([4, 9]);
    expect(kept).toBe(`step 14 is younger than the chain's retention, ${retentionSeconds} s`);
  });

  test("needs an age that is larger than the given one", async () => {
    const connection = await partitioned();
    const { dropped, kept } = await dropHistory(connection, { olderThan: 12 * 86_400 });
    expect(dropped.map(({ to }) => to)).toEqual([4, 9]);
    expect(kept).toBe(`step 14 is younger than ${12 * 86_400} s`);
  });

  test("is done by one process at a time, and by none that lost the lease", async () => {
    const connection = await partitioned();
    await withDatabase(connection, async (sql) => {
      await sql`INSERT INTO indexer_lease VALUES ('history', 'another', 7, now())`;
      await expect(dropHistory(connection, {})).rejects.toMatchObject({ kind: "busy", message: "another writes this index" });
      await sql`UPDATE indexer_lease SET heartbeat = to_timestamp(0) WHERE name = 'history'`;
      await sql`UPDATE history SET epoch = 99`;
      await expect(dropHistory(connection, {})).rejects.toMatchObject({ kind: "lost" });
      expect((await readIndexStatus(connection)).partitions[0]).toMatchObject({ from: 0 });
      const [{ rows } = {}] = await sql`SELECT count(*)::int4 AS rows FROM account_base`;
      expect(rows).toBe(0);
    });
  });
});
