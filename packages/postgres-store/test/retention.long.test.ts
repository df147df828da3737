import { FROZEN, RESHARDED } from "@chain-query/testing/chains";
import { describe, expect, test } from "vitest";
import { dropHistory, partitionSteps, readIndexStatus, verifyIndex } from "../src/index.ts";
import { compareIndex, WHOLE } from "./compare-index.ts";
import { expectFound, partitioned, producedSteps, STEPS, startReadChain, withReader } from "./indexed-chains.ts";

describe.each([
  ["with accounts of every kind", FROZEN, { whole: [0, 3, 12, STEPS], dropped: [STEPS, 19, 15, 14, 3] }],
  ["whose shards split and merge", RESHARDED, { whole: [4, 14, 15, 26, RESHARDED.steps], dropped: [STEPS, 16, 15, 14, 4] }],
] as const)("an index of a chain %s", (_, options, heads) => {
  test("returns the same from several partitions, and after old ones were dropped a shorter page or an error, but no wrong data", async () => {
    await using read = await startReadChain(options);
    const connection = await partitioned(read.steps);
    expect((await readIndexStatus(connection)).partitions.map(({ from }) => from)).toEqual([0, 5, 10, 15, 20, 25]);
    const whole = await withReader(connection, (reader) => compareIndex(read, reader, { heads: heads.whole, sample: 9 }));
    expect(whole).toMatchObject(WHOLE);
    const { transactions, ...verified } = await verifyIndex(read.connection);
    expect(await verifyIndex(connection)).toEqual({ ...verified, transactions });

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
      const found = await withReader(connection, (reader) =>
        compareIndex(read, reader, { heads: [at], sample: 6, firsts: [15] }),
      );
      expect(found).toMatchObject({ unread: 0, absent: 0, early: 0 });
      for (const key of ["same", "short", "dropped"] as const) counts[key] += found[key];
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
    expect(await verifyIndex(connection)).toEqual({ ...verified, transactions: expect.any(Number), firstSeqno: 15 });
  });
});

test("while partitions are dropped, an index returns complete or short pages, or an error", async () => {
  await using read = await startReadChain(FROZEN);
  const connection = await partitioned(read.steps);
  const firsts = [5, 10, 15, 20];
  await withReader(connection, async (reader) => {
    let [isDone, rounds] = [false, 0];
    const counts = { short: 0, dropped: 0 };
    const readAll = async () => {
      // The last round begins after the last drop.
      for (let isLast = false; !isLast; rounds++) {
        isLast = isDone;
        const found = await compareIndex(read, reader, { heads: [STEPS], sample: 24, firsts: [0, ...firsts] });
        counts.short += found.short;
        counts.dropped += found.dropped;
      }
    };
    const readers = Promise.all([readAll(), readAll(), readAll()]);
    for (const beforeStep of firsts) {
      const before = rounds;
      await Promise.race([readers, expect.poll(() => rounds, { interval: 5, timeout: 120_000 }).toBeGreaterThan(before)]);
      expect((await dropHistory(connection, { before: { step: beforeStep } })).firstSeqno).toBe(beforeStep);
      await partitionSteps(connection, { every: 5, last: STEPS + beforeStep });
    }
    isDone = true;
    await readers;
    expect(Math.min(counts.short, counts.dropped)).toBeGreaterThan(0);
  });
  expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 20 });
});

test("verifyIndex finds any change of an index with dropped partitions", async () => {
  const connection = await partitioned(await producedSteps());
  await dropHistory(connection, { before: { step: 10 } });
  const ofOne = "WHERE account = (SELECT account FROM account_base WHERE mc_seqno > 0 ORDER BY account DESC LIMIT 1)";
  await expectFound(connection, [
    [
      "a byte of the state of an account",
      `UPDATE account_base SET record = set_byte(record, 40, get_byte(record, 40) # 1) ${ofOne}`,
      /cannot be read/,
    ],
    [
      "an account",
      `DELETE FROM account_base ${ofOne}`,
      /^(?:number of accounts that dropped steps left|previous lt|hash of the state)/,
    ],
    ["the step of an account", `UPDATE account_base SET mc_seqno = 20 ${ofOne}`, /was not dropped$/],
    [
      "the step of an account, as if its step was not dropped",
      `UPDATE account_base SET mc_seqno = 0 ${ofOne}`,
      /^digest of the accounts/,
    ],
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
  ]);
});
