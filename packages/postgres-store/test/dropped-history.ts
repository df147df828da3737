/** Compares an index whose old partitions are dropped with a whole one. */
import type { AccountId, MessageKey } from "@chain-query/chain-store";
import type { MadeChainOptions } from "@chain-query/local-chain/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  DroppedHistoryError,
  dropHistory,
  migrate,
  openPostgresBackfill,
  openPostgresWriter,
  type PostgresConnection,
  type PostgresReader,
  partitionSteps,
  readIndexStatus,
  verifyIndex,
} from "../src/index.ts";
import { emptyDatabase, newIndex, openPatientReader } from "./indexes.ts";
import { accountsOf, DAYS, type ProducedSteps, producedSteps } from "./produced-steps.ts";

const STEPS = DAYS.steps;
const EVERY = 5;

/** A copy of an index with partitions 0 to 4, 5 to 9, and so on. */
export async function partitioned(chain: ProducedSteps): Promise<PostgresConnection> {
  const name = `partitioned_${chain.name}_${chain.genesis.retentionSeconds}`;
  return emptyDatabase({ name, fill: (url) => fillPartitions({ url }, chain) });
}

async function fillPartitions(connection: PostgresConnection, { genesis, steps }: ProducedSteps): Promise<void> {
  await migrate(connection);
  const writer = await openPostgresWriter(connection);
  await writer.begin(genesis);
  await partitionSteps(connection, { every: EVERY, last: STEPS });
  await writer.write(steps);
  await writer.close();
}

/** @param options - The chain. @param sample - One of so many accounts is asked for. @param heads - Heads of indexes without dropped partitions, and with. */
export function describeDroppedHistory(
  options: MadeChainOptions,
  sample: number,
  heads: { readonly whole: readonly number[]; readonly dropped: readonly number[] },
): void {
  let chain: ProducedSteps;
  let whole: PostgresConnection;
  let right: PostgresReader;
  let accounts: readonly AccountId[];

  beforeAll(async () => {
    chain = await producedSteps(options);
    whole = await newIndex(chain);
    right = openPatientReader(whole);
    accounts = await accountsOf(chain);
  });
  afterAll(() => right?.close());

  async function withReader(connection: PostgresConnection, use: (reader: PostgresReader) => Promise<void>): Promise<void> {
    const reader = openPatientReader(connection);
    try {
      await use(reader);
    } finally {
      await reader.close();
    }
  }

  /** Questions about one of so many accounts and their messages as of a head. Others at each head. */
  async function* questions(at: number) {
    for (const account of accounts.filter((_, index) => (index + at) % sample === 0)) {
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
      const connection = await partitioned(chain);
      expect((await readIndexStatus(connection)).partitions.map(({ from, to }) => [from, to])).toEqual(
        [...[0, 5, 10, 15, 20].map((from) => [from, from + EVERY - 1]), [25, undefined]].filter(
          ([from]) => (from ?? 0) < STEPS + EVERY,
        ),
      );
      await withReader(connection, async (reader) => {
        for (const at of heads.whole) expect(await compare(reader, at, 0)).toMatchObject({ short: 0, dropped: 0 });
      });
      expect(await verifyIndex(connection)).toEqual(await verifyIndex(whole));
    });
  });

  describe("an index whose old partitions were dropped", () => {
    test("answers right, short or not at all, and never wrong", async () => {
      const connection = await partitioned(chain);
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
      for (const at of heads.dropped) {
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
            expect(await reader.block(id, { seqno: id.seqno }, STEPS)).toEqual(
              await right.block(id, { seqno: id.seqno }, STEPS),
            );
      });
      expect(Math.min(counts.same, counts.short, counts.dropped)).toBeGreaterThan(10);
      const { transactions, ...verified } = await verifyIndex(whole);
      expect(await verifyIndex(connection)).toEqual({ ...verified, transactions: expect.any(Number), firstSeqno: 15 });
      await expect(openPostgresBackfill(connection, { from: 14, to: 30 })).rejects.toThrow(
        /^a range must begin at step 15 or later, since older steps were dropped, got 14$/,
      );
    });

    test("gets right answers, short pages or none while it is dropped", async () => {
      const connection = await partitioned(chain);
      await withReader(connection, async (reader) => {
        let isDone = false;
        let asked = 0;
        const counts = { same: 0, short: 0, dropped: 0 };
        const read = async () => {
          // The last round begins when all is dropped.
          for (let isLast = false; !isLast; ) {
            isLast = isDone;
            for await (const { name, ask } of questions(STEPS)) {
              if (isDone && !isLast) break;
              asked += 1;
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
        const readers = Promise.all([read(), read(), read()]);
        for (const beforeStep of [5, 10, 15, 20]) {
          const before = asked;
          await Promise.race([readers, expect.poll(() => asked, { interval: 5 }).toBeGreaterThan(before + 30)]);
          expect((await dropHistory(connection, { beforeStep })).firstSeqno).toBe(beforeStep);
          await partitionSteps(connection, { every: EVERY, last: STEPS + beforeStep });
        }
        isDone = true;
        await readers;
        expect(Math.min(counts.same, counts.short, counts.dropped)).toBeGreaterThan(0);
      });
      expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 20 });
    });
  });
}
