/** Compares an index with dropped partitions with a complete index. */
import type { AccountId, AccountVersion, ChainTransaction } from "@chain-query/format/store";
import type { MadeChainOptions } from "@chain-query/local-chain/testing";
import { DAYS } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  DroppedHistoryError,
  dropHistory,
  migrate,
  openPostgresWriter,
  type PostgresConnection,
  type PostgresReader,
  partitionSteps,
  readIndexStatus,
  verifyIndex,
} from "../src/index.ts";
import { accountsOf, emptyDatabase, newIndex, openTestReader, type ProducedSteps, producedSteps } from "./indexed-chains.ts";

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

interface Read {
  readonly name: "account" | "page" | "message";
  readonly read: (
    reader: PostgresReader,
  ) => Promise<AccountVersion | ChainTransaction | readonly ChainTransaction[] | undefined>;
}

/** Reads that found the same, a shorter page, or that their history was dropped. */
type Counts = Record<"same" | "short" | "dropped", number>;

/**
 * @param sample - Compares one of this many accounts.
 * @param heads - Heads without and with dropped partitions.
 */
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
    right = openTestReader(whole);
    accounts = await accountsOf(chain);
  });
  afterAll(() => right?.close());

  async function withReader(connection: PostgresConnection, use: (reader: PostgresReader) => Promise<void>): Promise<void> {
    const reader = openTestReader(connection);
    try {
      await use(reader);
    } finally {
      await reader.close();
    }
  }

  /** Reads of sampled accounts and their messages as of a head. The sample differs by head. */
  async function* reads(at: number): AsyncGenerator<Read> {
    for (const account of accounts.filter((_, index) => (index + at) % sample === 0)) {
      yield { name: "account", read: (reader) => reader.account(account, at) };
      for (const limit of [1, 7, 1000]) {
        yield { name: "page", read: (reader) => reader.transactions(account, { aboveLt: 0n }, limit, at) };
      }
      for (const { id, outMessages } of await right.transactions(account, { aboveLt: 0n }, 1000, at)) {
        yield { name: "page", read: (reader) => reader.transactions(account, { fromLt: id.lt, aboveLt: 0n }, 3, at) };
        for (const { source, destination, createdLt } of outMessages) {
          if (!source || !destination) continue;
          const message = { source, destination, createdLt };
          yield { name: "message", read: (reader) => reader.findSender(message, at) };
          yield { name: "message", read: (reader) => reader.findReceiver(message, at) };
        }
      }
    }
  }

  /**
   * Compares a read of the complete index with the read of an index whose pages may end where history was dropped.
   *
   * @param firsts - The first steps that the other index may have at the time.
   */
  async function compare(reader: PostgresReader, at: number, firsts: readonly number[], counts: Counts, { name, read }: Read) {
    const [expected, found] = await Promise.all([read(right), read(reader).catch((error: unknown) => error)]);
    if (found instanceof DroppedHistoryError) {
      expect(found.kind).toBe("dropped");
      expect(firsts).toContain(found.firstSeqno);
      // No error for existing rows.
      const newest = [expected].flat()[0];
      if (name === "account") expect(at).toBeLessThan(found.firstSeqno);
      else if (newest && "masterchainSeqno" in newest) expect(newest.masterchainSeqno).toBeLessThan(found.firstSeqno);
      counts.dropped += 1;
    } else if (Array.isArray(expected) && Array.isArray(found) && found.length < expected.length) {
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(expected.slice(0, found.length));
      expect(expected[found.length]?.masterchainSeqno).toBeLessThan(Math.max(...firsts));
      counts.short += 1;
    } else {
      expect(found).toEqual(expected);
      counts.same += 1;
    }
  }

  describe("an index with several partitions", () => {
    test("returns the same as an index with a single partition", async () => {
      const connection = await partitioned(chain);
      expect((await readIndexStatus(connection)).partitions.map(({ from, to }) => [from, to])).toEqual(
        [...[0, 5, 10, 15, 20].map((from) => [from, from + EVERY - 1]), [25, undefined]].filter(
          ([from]) => (from ?? 0) < STEPS + EVERY,
        ),
      );
      await withReader(connection, async (reader) => {
        const counts = { same: 0, short: 0, dropped: 0 };
        for (const at of heads.whole) for await (const read of reads(at)) await compare(reader, at, [0], counts, read);
        expect(counts).toMatchObject({ short: 0, dropped: 0 });
      });
      expect(await verifyIndex(connection)).toEqual(await verifyIndex(whole));
    });
  });

  describe("an index whose old partitions were dropped", () => {
    test("returns complete or short pages, or an error, but no wrong data", async () => {
      const connection = await partitioned(chain);
      const planned = await dropHistory(connection, { before: { step: 15 }, dryRun: true });
      expect(await dropHistory(connection, { before: { step: 15 }, dryRun: true })).toEqual(planned);
      const { dropped, firstSeqno, kept } = await dropHistory(connection, { before: { step: 15 } });
      expect({ dropped, kept }).toEqual({ dropped: planned.dropped, kept: planned.kept });
      expect(dropped.map(({ from, to }) => [from, to])).toEqual([
        [0, 4],
        [5, 9],
        [10, 14],
      ]);
      expect({ firstSeqno, kept }).toEqual({ firstSeqno: 15, kept: "step 19 is not before 15" });
      const counts = { same: 0, short: 0, dropped: 0 };
      for (const at of heads.dropped) {
        // A new reader for each head: a reader that has cached the partitions searches them in another order.
        await withReader(connection, async (reader) => {
          for await (const read of reads(at)) await compare(reader, at, [15], counts, read);
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
    });

    test("returns complete or short pages, or an error, while partitions are dropped", async () => {
      const connection = await partitioned(chain);
      await withReader(connection, async (reader) => {
        const firsts = [5, 10, 15, 20];
        let isDone = false;
        let count = 0;
        const counts = { same: 0, short: 0, dropped: 0 };
        const readAll = async () => {
          // The last round begins after the last drop.
          for (let isLast = false; !isLast; ) {
            isLast = isDone;
            for await (const read of reads(STEPS)) {
              if (isDone && !isLast) break;
              count += 1;
              await compare(reader, STEPS, firsts, counts, read);
            }
          }
        };
        const readers = Promise.all([readAll(), readAll(), readAll()]);
        for (const beforeStep of firsts) {
          const before = count;
          await Promise.race([readers, expect.poll(() => count, { interval: 5 }).toBeGreaterThan(before + 30)]);
          expect((await dropHistory(connection, { before: { step: beforeStep } })).firstSeqno).toBe(beforeStep);
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
