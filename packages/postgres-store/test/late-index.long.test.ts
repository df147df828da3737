/** An index that begins at a later step than the zero state: its responses, the accounts before it, and steps that are added before it. */
import { setTimeout as sleep } from "node:timers/promises";
import { accountKey, type BlockHeader, type Step } from "@chain-query/format/store";
import { chainSteps } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { FROZEN } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  dropAfter,
  dropHistory,
  migrate,
  openPostgresExtension,
  openPostgresWriter,
  type PostgresConnection,
  partitionSteps,
  readIndexStatus,
  verifyIndex,
} from "../src/index.ts";
import { compareIndex, WHOLE } from "./compare-index.ts";
import {
  collected,
  emptyDatabase,
  expectFound,
  type ProducedSteps,
  type ReadChain,
  startReadChain,
  withDatabase,
  withReader,
} from "./indexed-chains.ts";

const FIRST = 12;
const LAST = FROZEN.steps;

let read: ReadChain;
let chain: ProducedSteps;
let whole: PostgresConnection;
/** The tips after each step from 0 on. */
let tips: readonly (readonly BlockHeader[])[];

beforeAll(async () => {
  read = await startReadChain(FROZEN);
  [chain, whole] = [read.steps, read.connection];
  const source = chainSteps(await madeChain(FROZEN));
  tips = await Promise.all(Array.from({ length: LAST + 1 }, (_, step) => source.tips(step)));
  await source.close();
});
afterAll(() => read?.[Symbol.asyncDispose]());

/** Steps of an index that begins with them, or before them at `first`. */
async function stepsOf(from: number, to: number, first: number = from): Promise<readonly Step[]> {
  const source = chainSteps(await madeChain(FROZEN));
  const firstTips = first > 1 ? tips[first - 1] : undefined;
  const steps = await collected(source.steps({ from, to, firstTips }, new AbortController().signal));
  await source.close();
  return steps;
}

/** An index from step 12 on, for the current test. */
async function lateIndex(last: number = LAST): Promise<PostgresConnection> {
  return emptyDatabase({
    name: `late_${chain.name}_${last}`,
    fill: async (url) => {
      await migrate({ url });
      const writer = await openPostgresWriter({ url });
      await writer.begin(chain.genesis, async () => tips[FIRST - 1]);
      expect(writer.head).toBe(FIRST - 1);
      await partitionSteps({ url }, { every: 8, last: LAST });
      expect(writer.firstTips).toEqual(tips[FIRST - 1]);
      await writer.write(await stepsOf(FIRST, last));
      await writer.close();
    },
  });
}

/** Compares an index whose first step is one of some with the chain. */
function compare(connection: PostgresConnection, firsts: readonly number[], heads: readonly number[], sample = 10) {
  return withReader(connection, (reader) => compareIndex(read, reader, { heads, sample, firsts }));
}

/** An account whose state before its first change is in the index. */
const UNCHANGED = "(SELECT account FROM account_base WHERE mc_seqno = -2 ORDER BY account LIMIT 1)";

describe("an index that begins late", () => {
  test("has the data of a whole index from its first step on, and says what it does not have", async () => {
    const connection = await lateIndex();
    const counts = await compare(connection, [FIRST], [FIRST, 16, LAST]);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
    const { steps, firstSeqno } = await verifyIndex(connection);
    expect({ steps, firstSeqno }).toEqual({ steps: LAST - FIRST + 1, firstSeqno: FIRST });
    expect(await readIndexStatus(connection)).toMatchObject({ firstSeqno: FIRST, beginsAt: FIRST, head: LAST });
  });

  test("is invalid after any change", async () => {
    await expectFound(await lateIndex(), [
      [
        "the record before the first change of an account",
        `UPDATE account_base SET record = set_byte(record, 40, get_byte(record, 40) # 1) WHERE account = ${UNCHANGED}`,
        /checksum|hash of the state before/,
      ],
      [
        "the changes of an account whose state before them is there",
        `WITH gone AS (DELETE FROM account_versions WHERE account = ${UNCHANGED}) DELETE FROM transactions WHERE account = ${UNCHANGED}`,
        /has a state before its first change, and no change$/,
      ],
      [
        "the first transaction of an account",
        `DELETE FROM transactions WHERE account = ${UNCHANGED} AND lt = (SELECT min(lt) FROM transactions WHERE account = ${UNCHANGED})`,
        /is missing$|has a version, and no transaction$|transactions (?:more|at the head)/,
      ],
      [
        "the first step",
        "UPDATE history SET first_seqno = first_seqno + 1, begins_at = begins_at + 1",
        /before the index begins/,
      ],
      ["the end of the step before", "UPDATE history SET end_lt = end_lt + 1", /^the end of dropped steps in logical time/],
    ]);
  });

  test("can be dropped after its first step, and written again; a process that was stopped meanwhile has lost its lease", async () => {
    const connection = await lateIndex();
    await expect(dropAfter(connection, FIRST - 1)).rejects.toThrow(/^the step must be from 12, the first that the index has/);
    const extension = await openPostgresExtension(connection, { leaseSeconds: 3_600 });
    await expect(dropAfter(connection, FIRST)).rejects.toMatchObject({ kind: "busy" });
    await withDatabase(connection, (sql) => sql`UPDATE indexer_lease SET heartbeat = now() - INTERVAL '21 seconds'`);
    await dropAfter(connection, FIRST);
    await expect(extension.write(tips[10] ?? [], await stepsOf(11, 11))).rejects.toMatchObject({ kind: "lost" });
    await extension.close();
    await verifyIndex(connection);
    const writer = await openPostgresWriter(connection);
    await writer.begin(chain.genesis, async () => expect.unreachable());
    await writer.write(await stepsOf(FIRST + 1, LAST, FIRST));
    await writer.close();
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: FIRST });
    await compare(connection, [FIRST], [FIRST, 16]);
  });

  test("keeps the newest version of each account when its oldest steps are dropped", async () => {
    const connection = await lateIndex();
    const { dropped } = await dropHistory(connection, { before: { step: 16 } });
    expect(dropped.map(({ from, to }) => [from, to])).toEqual([[0, 15]]);
    const counts = await compare(connection, [16], [16, LAST]);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 16 });
    await expect(openPostgresExtension(connection)).rejects.toThrow(/its steps from 12 to 15 were dropped$/);
  });
});

describe("steps before the first one of an index", () => {
  test("are added, the newest first, down to the zero state; then the index is as one that began with it", async () => {
    const connection = await lateIndex();
    for (const from of [10, 1]) {
      // A new process for each of them.
      const extension = await openPostgresExtension(connection);
      await extension.begin(chain.genesis);
      const to = extension.firstSeqno - 1;
      await extension.write(tips[from - 1] ?? [], await stepsOf(from, to));
      expect(extension.firstSeqno).toBe(from);
      await extension.close();
      expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: from, steps: LAST - from + 1 });
      await compare(connection, [from], from === 1 ? [LAST] : [from, from + 1, LAST], 15);
      const status = await readIndexStatus(connection);
      expect(status).toMatchObject({ firstSeqno: from, beginsAt: from });
    }
    const last = await openPostgresExtension(connection);
    await last.writeZeroState(chain.genesis);
    expect(last.firstSeqno).toBe(0);
    await last.close();
    expect(await verifyIndex(connection)).toEqual(await verifyIndex(whole));
    expect(await compare(connection, [0], [0, 1, 5, LAST], 15)).toMatchObject(WHOLE);
    const rowsOf = (one: PostgresConnection) =>
      withDatabase(one, async (sql) => ({
        transactions: await sql`SELECT md5(string_agg(account || record, '' ORDER BY account, lt)) FROM transactions`,
        versions: await sql`SELECT md5(string_agg(account || record, '' ORDER BY account, mc_seqno)) FROM account_versions`,
        others: await sql`SELECT chain.record, first_seqno, begins_at, end_lt, tips, accounts, digest FROM chain, history`,
        base: (await sql`SELECT FROM account_base`).count,
        blocks: await sql`SELECT md5(string_agg(record, '' ORDER BY workchain, shard, seqno)) FROM blocks`,
      }));
    expect(await rowsOf(connection)).toEqual(await rowsOf(whole));
    const { transactionCount } = await readIndexStatus(whole);
    expect((await readIndexStatus(connection)).transactionCount).toBe(transactionCount);
    await expect(openPostgresExtension(connection)).rejects.toThrow(/this one has the zero state$/);
    // To steps that the first writer did not write.
    for (const to of [5, 0]) {
      await dropAfter(connection, to);
      expect(await verifyIndex(connection)).toMatchObject({ steps: to, firstSeqno: 0 });
    }
  });

  test("are not completed by the zero state of another chain, or before step 1 was added", async () => {
    const connection = await lateIndex();
    const extension = await openPostgresExtension(connection);
    await expect(extension.writeZeroState(chain.genesis)).rejects.toMatchObject({ kind: "lost" });
    await extension.write(tips[0] ?? [], await stepsOf(1, FIRST - 1));
    // The state before its first change stays in the index until it has the zero state.
    const [row] = await withDatabase(connection, (sql) => sql.unsafe(`SELECT ${UNCHANGED} AS key`));
    const key: Buffer = row?.["key"] ?? expect.unreachable();
    async function* others() {
      for await (const one of chain.genesis.accounts()) if (!accountKey(one.account).equals(key)) yield one;
    }
    const other = { ...chain.genesis, accounts: others };
    await expect(extension.writeZeroState(other)).rejects.toMatchObject({ kind: "damaged" });
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 1 });
    await extension.writeZeroState(chain.genesis);
    await extension.close();
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 0 });
  });

  test("replace the states before first changes, also of a writer that has read its steps before they were added", async () => {
    const connection = await lateIndex(15);
    const late = await stepsOf(16, LAST, FIRST);
    const extension = await openPostgresExtension(connection);
    await extension.write(tips[1] ?? [], await stepsOf(2, FIRST - 1));
    await extension.close();
    const writer = await openPostgresWriter(connection);
    await writer.begin(chain.genesis);
    expect(writer.firstTips).toEqual(tips[1]);
    await writer.write(late);
    await writer.close();
    expect(late.some(({ accounts }) => accounts.some(({ before }) => before !== undefined))).toBe(true);
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 2 });
    await compare(connection, [2], [2, 10, 13]);
  });

  test("are refused if they are of another chain, or do not lead to the first step", async () => {
    const connection = await lateIndex();
    const extension = await openPostgresExtension(connection);
    await expect(extension.write(tips[6] ?? [], await stepsOf(7, 10))).rejects.toThrow(/^the steps must end before step 12/);
    const [step = expect.unreachable()] = await stepsOf(11, 11);
    const forged = {
      ...step,
      masterchain: { ...step.masterchain, id: { ...step.masterchain.id, rootHash: new Uint8Array(32) } },
    };
    await expect(extension.write(tips[10] ?? [], [forged])).rejects.toMatchObject({ kind: "fork" });
    await expect(openPostgresExtension(connection)).rejects.toMatchObject({ kind: "busy" });
    await extension.close();
    await expect(openPostgresExtension(whole)).rejects.toThrow(/this one has the zero state$/);
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: FIRST });
  });

  test("replace the states before first changes of accounts that they change, and are refused if these are others", async () => {
    const connection = await lateIndex();
    await withDatabase(connection, (sql) => sql.unsafe("UPDATE account_base SET record = record || '\\x00'::bytea"));
    const extension = await openPostgresExtension(connection);
    await expect(extension.write(tips[10] ?? [], await stepsOf(11, 11))).rejects.toMatchObject({ kind: "damaged" });
    await extension.close();
  });

  test("are never seen in part", async () => {
    const connection = await lateIndex();
    const extension = await openPostgresExtension(connection);
    let isDone = false;
    const reading = (async () => {
      while (!isDone) await compare(connection, [12, 10, 8, 6, 4, 2, 1], [LAST], 40).then(() => sleep(1));
    })();
    for (let to = FIRST - 1; to >= 1; to -= 2) {
      const from = Math.max(1, to - 1);
      await extension.write(tips[from - 1] ?? [], await stepsOf(from, to));
    }
    isDone = true;
    await reading;
    await extension.close();
  });
});
