/** Writes the zero state and the steps of a chain. */

import { setTimeout } from "node:timers/promises";
import { isEqual } from "@chain-query/format/cells";
import {
  accountOf,
  accountRecord,
  type BlockHeader,
  isUnchangedSince,
  type Step,
  type StepAccount,
  type StepGenesis,
} from "@chain-query/format/store";
import { type Database, type Queryable, query } from "../client.ts";
import { chainRecord, genesisHead, headRowRecord, isBegun, type StoredChain, ZeroAccountsSum } from "../head-record.ts";
import { readHistory, tipsRecord } from "../history-row.ts";
import { BEGIN_HISTORY, INSERT_CHAIN, INSERT_HEAD, SHARE_HISTORY } from "../statements.ts";
import { isLostConnection, lostConnection } from "../store-error.ts";
import type { Transactions } from "../transactions.ts";
import { type IndexedChain, PostgresStoreError, type PostgresWriter } from "../types.ts";
import { type Batch, type BulkRow, encodeAccounts, encodeSteps, rememberCells, TABLES } from "./encode-steps.ts";
import type { Lease } from "./lease.ts";
import { commitWithRetries, encodeBatch, insertRows, writeBatch } from "./write-batch.ts";

/**
 * Milliseconds. The client library lets a statement wait while a connection that was lost cannot be opened again, as after a change of the
 * password: the next attempt opens another pool, whose first statement has the error.
 */
const LONGEST_READ = 5_000;
/** Accounts of the zero state in memory at a time. */
const ACCOUNTS_PER_BATCH = 5_000;

/**
 * Writes the zero state, or the tips from which the index begins, and the head before the first step into an empty index. For an index with
 * a chain, compares its identity.
 *
 * @throws PostgresStoreError if the database has another chain.
 */
export async function beginChain(
  transactions: Transactions,
  genesis: StepGenesis,
  epoch: bigint,
  readTips: NonNullable<Parameters<PostgresWriter["begin"]>[1]> = async () => undefined,
): Promise<void> {
  const { masterchain, shards, time, retentionSeconds } = genesis;
  const chain: IndexedChain = { masterchain, shards, time, retentionSeconds };
  const isStored = (): Promise<boolean> => transactions.run((sql) => isBegun(sql, genesis));
  if (await isStored()) return;
  const tips = await readTips();
  await commitWithRetries(async (isRepeated) => {
    if (tips !== undefined) {
      const zeroAccounts = new ZeroAccountsSum().value;
      return transactions.run((tx) => beginAtTips(tx, { ...chain, zeroAccounts }, tips, epoch));
    }
    const writeAccounts = await zeroAccountsWriter(genesis);
    return transactions.run(async (tx) => {
      await query(tx, INSERT_CHAIN, [await writeAccounts(tx, isRepeated)]);
      await query(tx, INSERT_HEAD, [0, epoch, headRowRecord.encode(genesisHead(chain))]);
    });
  }, isStored);
}

/** Returns a function that writes the accounts of the zero states, and returns the record of the chain. */
export async function zeroAccountsWriter(
  genesis: StepGenesis,
): Promise<(tx: Queryable, isRepeated: boolean) => Promise<Uint8Array>> {
  const { masterchain, shards, time, retentionSeconds } = genesis;
  const sum = new ZeroAccountsSum();
  const batches = genesisBatches(genesis, sum);
  // Read before the transaction begins: a transaction that waits long for a lite server looks like a transaction of a stopped process.
  const first = await batches.next();
  return async (tx, isRepeated) => {
    if (!first.done) await writeBatch(tx, encodeBatch(first.value), isRepeated);
    for await (const batch of batches) await writeBatch(tx, encodeBatch(batch), isRepeated);
    return chainRecord.encode({ masterchain, shards, time, retentionSeconds, zeroAccounts: sum.value });
  };
}

async function beginAtTips(tx: Queryable, chain: StoredChain, tips: readonly BlockHeader[], epoch: bigint): Promise<void> {
  const [masterchain] = tips;
  if (!masterchain) throw new RangeError("an index must begin after a masterchain block, got none");
  const { seqno } = masterchain.id;
  await query(tx, INSERT_CHAIN, [chainRecord.encode(chain)]);
  await query(tx, BEGIN_HISTORY, [seqno + 1, masterchain.endLt, tipsRecord.encode(tips)]);
  await query(tx, INSERT_HEAD, [seqno, epoch, headRowRecord.encode({ transactionCount: 0n, shards: tips })]);
}

async function* genesisBatches(genesis: StepGenesis, sum: ZeroAccountsSum): AsyncGenerator<Batch, void, undefined> {
  const known = new Set<string>();
  let accounts: StepAccount[] = [];
  const next = (): Batch => {
    const batch = encodeAccounts(accounts, known);
    accounts = [];
    rememberCells(known, batch);
    for (const [key, , record] of batch.versions)
      if (key instanceof Uint8Array && record instanceof Uint8Array) sum.add(key, record);
    return batch;
  };
  for await (const account of genesis.accounts()) {
    accounts.push(account);
    if (accounts.length === ACCOUNTS_PER_BATCH) yield next();
  }
  if (accounts.length > 0) yield next();
}

/** The progress of a writer: a row that changes in the transaction of the steps. */
export interface Position {
  /** The newest written step. */
  readonly seqno: number;
  /** Of the newest lease. */
  readonly epoch: bigint;
}

/** The row of a position. */
export interface PositionRow<P extends Position> {
  read(sql: Queryable): Promise<P | undefined>;
  /** The record of the row, without its seqno and epoch. */
  record(position: P): Uint8Array;
  /** Changes nothing and returns false if the row is not `from`, with the epoch of this writer. */
  move(sql: Queryable, from: P, to: P): Promise<boolean>;
  /** @throws PostgresStoreError if a step is of another chain. */
  after(position: P, step: Step): P;
}

/** Writes steps after a position. */
export interface StepWriter<P extends Position> {
  readonly position: P;
  write(steps: readonly Step[]): Promise<void>;
  /** Moves the position without writing. */
  moveTo(position: P): Promise<void>;
}

export function stepWriter<P extends Position>(
  sql: Database,
  transactions: Transactions,
  lease: Lease,
  found: P,
  row: PositionRow<P>,
): StepWriter<P> {
  let position = found;
  /** Whether the last write may have been committed although it failed. */
  let isDoubtful = false;
  const knownCells = new Set<string>();

  const isOwn = (stored: P | undefined, expected: P): boolean =>
    stored?.seqno === expected.seqno && stored.epoch === lease.epoch && isEqual(row.record(stored), row.record(expected));

  const read = (): Promise<P | undefined> => {
    const late = setTimeout(LONGEST_READ, undefined, { ref: false }).then(() => Promise.reject(lostConnection()));
    return Promise.race([row.read(sql), late]);
  };

  const isAt = async (expected: P): Promise<boolean> => isOwn(await read(), expected);

  const move = async (queryable: Queryable, from: P, to: P): Promise<void> => {
    if (await row.move(queryable, from, to)) return;
    const stored = await row.read(queryable);
    // PostgreSQL may execute a COMMIT of a lost connection after the retry has begun.
    if (!isOwn(stored, to)) throw whyNotMoved(stored, from, lease);
  };

  /** Returns the steps that still have to be written. */
  const remaining = async (steps: readonly Step[]): Promise<readonly Step[]> => {
    if (lease.isLost) throw lost();
    if (!isDoubtful) return steps;
    const stored = await read();
    if (stored?.epoch !== lease.epoch) throw lost();
    position = stored;
    isDoubtful = false;
    return steps.filter(({ masterchain }) => masterchain.id.seqno > position.seqno);
  };

  const commitSteps = async (steps: readonly Step[], before: P, next: P): Promise<void> => {
    const batch = encodeSteps(steps, knownCells);
    const encoded = encodeBatch(batch);
    const write = (isRepeated: boolean) => async (tx: Queryable) => {
      await keepFirstStates(tx, batch);
      await writeBatch(tx, encoded, isRepeated);
      // Last, because its row lock would block the next writer if this process was stopped.
      await move(tx, before, next);
    };
    await commitWithRetries(
      (isRepeated) => transactions.run(write(isRepeated)),
      () => isAt(next),
    );
    rememberCells(knownCells, batch);
  };

  return {
    get position() {
      return position;
    },
    write: async (given) => {
      const steps = await remaining(given);
      const before = position;
      const next = steps.reduce(checkedAfter(row), before);
      if (next === before) return;
      try {
        await commitSteps(steps, before, next);
        position = next;
      } catch (cause) {
        isDoubtful = isLostConnection(cause);
        throw cause;
      }
    },
    moveTo: async (next) => {
      const before = position;
      await commitWithRetries(
        () => move(sql, before, next),
        () => isAt(next),
      );
      position = next;
    },
  };
}

/**
 * Keeps the states before the first changes of accounts, except of those that steps change which were added before the index meanwhile.
 * Call it first in a transaction: all lock the row of `history` before other rows.
 */
async function keepFirstStates(tx: Queryable, { firstStates }: Batch): Promise<void> {
  if (firstStates.length === 0) return;
  const { tips } = await readHistory(tx, SHARE_HISTORY);
  const isUnchanged = ([key, , record]: BulkRow): boolean =>
    key instanceof Uint8Array &&
    record instanceof Uint8Array &&
    isUnchangedSince(tips, accountOf(key), accountRecord.decode(record).last.lt);
  if (tips.length > 0) await insertRows(tx, TABLES.firstStates, firstStates.filter(isUnchanged));
}

function checkedAfter<P extends Position>(row: PositionRow<P>): (position: P, step: Step) => P {
  return (position, step) => {
    const { seqno } = step.masterchain.id;
    if (seqno !== position.seqno + 1)
      throw new RangeError(`the step after ${position.seqno} must be ${position.seqno + 1}, got ${seqno}`);
    return row.after(position, step);
  };
}

function whyNotMoved(stored: Position | undefined, expected: Position, lease: Lease): PostgresStoreError {
  if (stored?.epoch !== lease.epoch) return lost();
  const message = `the newest step in the database is ${stored.seqno}, expected ${expected.seqno}`;
  return new PostgresStoreError("lost", `${message}: it was restored, or another server took over before it had all steps`);
}

function lost(): PostgresStoreError {
  return new PostgresStoreError("lost", "another process writes this index now");
}
