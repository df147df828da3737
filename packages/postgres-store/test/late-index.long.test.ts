/** An index that begins at a later step than the zero state: its responses, the accounts before it, and steps that are added before it. */
import { setTimeout as sleep } from "node:timers/promises";
import { blockName } from "@chain-query/format/identifiers";
import {
  ABSENT_ACCOUNT,
  type AccountId,
  accountKey,
  type BlockHeader,
  type Step,
  type StepAccount,
} from "@chain-query/format/store";
import { chainSteps } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { FROZEN } from "@chain-query/testing/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  DroppedHistoryError,
  dropAfter,
  dropHistory,
  migrate,
  openPostgresExtension,
  openPostgresWriter,
  type PostgresConnection,
  type PostgresReader,
  partitionSteps,
  readIndexStatus,
  UnreadAccountError,
  verifyIndex,
} from "../src/index.ts";
import {
  accountsOf,
  collected,
  emptyDatabase,
  newIndex,
  openTestReader,
  type ProducedSteps,
  producedSteps,
  withDatabase,
} from "./indexed-chains.ts";

const FIRST = 12;
const LAST = FROZEN.steps;

let chain: ProducedSteps;
let accounts: readonly AccountId[];
let right: PostgresReader;
let whole: PostgresConnection;
/** The tips after each step from 0 on. */
let tips: readonly (readonly BlockHeader[])[];
/** The blocks of all shards. */
let blocks: readonly BlockHeader[];
/** The states of each account by step, 0 for the zero state. */
let states: ReadonlyMap<string, readonly (readonly [step: number, state: StepAccount])[]>;

beforeAll(async () => {
  chain = await producedSteps(FROZEN);
  const changes = chain.steps.flatMap((step) => step.accounts.map((one) => [step.masterchain.id.seqno, one] as const));
  const first = (await collected(chain.genesis.accounts())).map((one) => [0, one] as const);
  states = Map.groupBy([...first, ...changes], ([, { account }]) => accountKey(account).toString("hex"));
  accounts = await accountsOf(chain);
  whole = await newIndex(chain);
  right = openTestReader(whole);
  const source = chainSteps(await madeChain(FROZEN));
  tips = await Promise.all(Array.from({ length: LAST + 1 }, (_, step) => source.tips(step)));
  await source.close();
  blocks = [...new Map(tips.flat().map((block) => [blockName(block.id), block])).values()];
});
afterAll(() => right?.close());

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

async function withReader<T>(connection: PostgresConnection, use: (reader: PostgresReader) => Promise<T>): Promise<T> {
  const reader = openTestReader(connection);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

/** The states of an account by step. */
function statesOf(account: AccountId): readonly (readonly [step: number, state: StepAccount])[] {
  return states.get(accountKey(account).toString("hex")) ?? [];
}

/** The account after its newest change up to a step; undefined if it did not exist yet. */
function stateAt(account: AccountId, step: number): StepAccount | undefined {
  return statesOf(account).findLast(([at]) => at <= step)?.[1];
}

/** Whether a step changes an account. */
function isChanged(account: AccountId, from: number, to: number): boolean {
  return statesOf(account).some(([step]) => step >= from && step <= to);
}

/** The first of them, and every tenth after it. */
function everyTenth<T>(all: readonly T[]): T[] {
  return all.filter((_, index) => index % 10 === 0);
}

/** Accounts that exist before a step, with or without later changes. */
function accountsBefore(step: number): AccountId[] {
  return accounts.filter((account) => {
    const state = stateAt(account, step - 1);
    return state !== undefined && state.shardAccount.refs[0]?.bitLength !== 1;
  });
}

/** Compares all reads of some accounts with those of an index with the zero state. Returns how many were the same, short and so on. */
async function compare(connection: PostgresConnection, first: number, heads: readonly number[], sample: number) {
  const counts = { same: 0, short: 0, dropped: 0, unread: 0, absent: 0 };
  await withReader(connection, async (reader) => {
    for (const at of heads) {
      const compareAccount = async (account: AccountId): Promise<void> => {
        const state = await reader.account(account, at).catch((error: unknown) => error);
        if (state instanceof UnreadAccountError) {
          const next = await reader.nextChange(account, at, LAST);
          const known = await right.account(account, next === undefined ? LAST : next.seqno - 1);
          if (next !== undefined) expect([next.isMade, known]).toEqual([true, ABSENT_ACCOUNT]);
          expect([known, isChanged(account, first, at)]).toEqual([await right.account(account, at), false]);
          counts[next === undefined ? "unread" : "absent"] += 1;
        } else if (state instanceof DroppedHistoryError) expect(at).toBeLessThan(first);
        else expect(state).toEqual(await right.account(account, at));
        const all = await right.transactions(account, { aboveLt: 0n }, 1000, at);
        const reads = [
          (one: PostgresReader) => one.transactions(account, { aboveLt: 0n }, 3, at),
          ...everyTenth(all).map(
            ({ id }) =>
              (one: PostgresReader) =>
                one.transactions(account, { fromLt: id.lt, aboveLt: 0n }, 4, at),
          ),
          ...everyTenth(all).flatMap(({ outMessages }) =>
            outMessages.slice(0, 1).flatMap(({ source, destination, createdLt }) => {
              if (!source || !destination) return [];
              const message = { source, destination, createdLt };
              return [
                (one: PostgresReader) => one.findSender(message, at),
                (one: PostgresReader) => one.findReceiver(message, at),
              ];
            }),
          ),
        ];
        for (const read of reads) {
          const [expected, found] = await Promise.all([read(right), read(reader).catch((error: unknown) => error)]);
          if (found instanceof DroppedHistoryError) {
            const newest = [expected].flat()[0];
            if (newest) expect(newest.masterchainSeqno).toBeLessThan(first);
            counts.dropped += 1;
          } else if (Array.isArray(expected) && Array.isArray(found) && found.length < expected.length) {
            expect(found.length).toBeGreaterThan(0);
            expect(found).toEqual(expected.slice(0, found.length));
            expect(expected[found.length]?.masterchainSeqno).toBeLessThan(first);
            counts.short += 1;
          } else {
            expect(found).toEqual(expected);
            counts.same += 1;
          }
        }
      };
      await Promise.all(accounts.filter((_, index) => (index + at) % sample === 0).map(compareAccount));
    }
    const compareBlock = async ({ id, endLt, time, masterchainSeqno }: BlockHeader): Promise<void> => {
      for (const selector of [{ seqno: id.seqno }, { lt: endLt }, { lt: endLt + 1n }, { time }, { time: time + 1 }]) {
        const [expected, found] = await Promise.all([
          right.block(id, selector, LAST),
          reader.block(id, selector, LAST).catch((error: unknown) => error),
        ]);
        if (found instanceof DroppedHistoryError) expect(expected?.masterchainSeqno ?? masterchainSeqno).toBeLessThan(first);
        else expect(found).toEqual(expected);
      }
    };
    await Promise.all(blocks.filter((_, index) => index % sample === 0).map(compareBlock));
  });
  return counts;
}

describe("an index that begins late", () => {
  test("has the data of a whole index from its first step on, and says what it does not have", async () => {
    const connection = await lateIndex();
    const counts = await compare(connection, FIRST, [FIRST, 16, LAST], 10);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
    const { steps, firstSeqno } = await verifyIndex(connection);
    expect({ steps, firstSeqno }).toEqual({ steps: LAST - FIRST + 1, firstSeqno: FIRST });
    expect(await readIndexStatus(connection)).toMatchObject({ firstSeqno: FIRST, beginsAt: FIRST, head: LAST });
  });

  test.each([
    [
      "the record before the first change of an account",
      "UPDATE account_base SET record = set_byte(record, 40, get_byte(record, 40) # 1) WHERE account = $1 AND mc_seqno = -2",
      /checksum|hash of the state before/,
    ],
    [
      "the changes of an account whose state before them is there",
      "WITH gone AS (DELETE FROM account_versions WHERE account = $1) DELETE FROM transactions WHERE account = $1",
      /has a state before its first change, and no change$/,
    ],
    [
      "the first transaction of an account",
      "DELETE FROM transactions WHERE account = $1 AND lt = (SELECT min(lt) FROM transactions WHERE account = $1)",
      /is missing$|has a version, and no transaction$|transactions (?:more|at the head)/,
    ],
    [
      "the first step",
      "UPDATE history SET first_seqno = first_seqno + 1, begins_at = begins_at + 1 WHERE $1::bytea IS NOT NULL",
      /before the index begins/,
    ],
    [
      "the end of the step before",
      "UPDATE history SET end_lt = end_lt + 1 WHERE $1::bytea IS NOT NULL",
      /^the end of dropped steps in logical time/,
    ],
  ])("is invalid without %s", async (_what, change, fault) => {
    const connection = await lateIndex();
    const [account = expect.unreachable()] = accountsBefore(FIRST).filter((one) => isChanged(one, FIRST, LAST));
    await verifyIndex(connection);
    await withDatabase(connection, (sql) => sql.unsafe(change, [accountKey(account)]));
    await expect(verifyIndex(connection)).rejects.toMatchObject({ kind: "damaged", message: expect.stringMatching(fault) });
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
    await compare(connection, FIRST, [FIRST, 16], 10);
  });

  test("keeps the newest version of each account when its oldest steps are dropped", async () => {
    const connection = await lateIndex();
    const { dropped } = await dropHistory(connection, { before: { step: 16 } });
    expect(dropped.map(({ from, to }) => [from, to])).toEqual([[0, 15]]);
    const counts = await compare(connection, 16, [16, LAST], 10);
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
      await compare(connection, from, from === 1 ? [LAST] : [from, from + 1, LAST], 15);
      const status = await readIndexStatus(connection);
      expect(status).toMatchObject({ firstSeqno: from, beginsAt: from });
    }
    const last = await openPostgresExtension(connection);
    await last.writeZeroState(chain.genesis);
    expect(last.firstSeqno).toBe(0);
    await last.close();
    expect(await verifyIndex(connection)).toEqual(await verifyIndex(whole));
    const counts = await compare(connection, 0, [0, 1, 5, LAST], 15);
    expect([counts.dropped, counts.unread, counts.absent, counts.short]).toEqual([0, 0, 0, 0]);
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
    // Its state before its first change stays in the index until it has the zero state.
    const unchanged = accountsBefore(1).filter((one) => !isChanged(one, 1, FIRST - 1));
    const [account = expect.unreachable()] = unchanged.filter((one) => isChanged(one, FIRST, LAST));
    const extension = await openPostgresExtension(connection);
    await expect(extension.writeZeroState(chain.genesis)).rejects.toMatchObject({ kind: "lost" });
    await extension.write(tips[0] ?? [], await stepsOf(1, FIRST - 1));
    const key = accountKey(account);
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
    // The added steps made some of the accounts.
    const changed = late.flatMap(({ accounts: all }) => all.filter(({ before }) => before !== undefined));
    expect(changed.filter(({ account }) => stateAt(account, 1) === undefined).length).toBeGreaterThan(0);
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 2 });
    await compare(connection, 2, [2, 10, 13], 10);
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
    const changed = accountsBefore(FIRST).filter((one) => isChanged(one, 11, 11) && isChanged(one, FIRST, LAST));
    expect(changed.length).toBeGreaterThan(0);
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
      while (!isDone) await compare(connection, FIRST, [LAST], 40).then(() => sleep(1));
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
