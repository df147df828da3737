import { setTimeout } from "node:timers/promises";
import { isEqual } from "@chain-query/format/cells";
import { accountOf, accountRecord, isUnchangedSince, type Step } from "@chain-query/format/store";
import { type Database, type Queryable, query } from "../database/client.ts";
import { type HeadRow, headRowRecord, readHead } from "../database/head-record.ts";
import { readHistory } from "../database/history-row.ts";
import { FENCE_HEAD, MOVE_HEAD, SHARE_HISTORY } from "../database/statements.ts";
import { isLostConnection, lostConnection, mapErrors } from "../database/store-error.ts";
import type { Transactions } from "../database/transactions.ts";
import { type PostgresConnection, PostgresStoreError, type PostgresWriter } from "../types.ts";
import { beginChain } from "./begin-chain.ts";
import { type Batch, type BulkRow, encodeSteps, rememberCells, TABLES } from "./encode-steps.ts";
import { type Lease, openWithLease, type WriterOptions } from "./lease.ts";
import { countTransactions, tipsAfter } from "./tips.ts";
import { commitWithRetries, encodeBatch, insertRows, writeBatch } from "./write-batch.ts";

/**
 * Milliseconds. The client library lets a statement wait while a connection that was lost cannot be opened again, as after a change of the
 * password: the next attempt opens another pool, whose first statement has the error.
 */
const LONGEST_READ = 5_000;

/**
 * Opens an index for writing, and takes its lease.
 *
 * @throws PostgresStoreError `busy` if another process writes the index, `schema` if it must be migrated.
 *
 * @example
 * const writer = await openPostgresWriter({ url: "postgres://indexer@localhost/chain" });
 * await writer.begin(await source.genesis());
 * for await (const step of source.steps({ from: writer.head + 1 }, signal)) await writer.write([step]);
 */
export async function openPostgresWriter(connection: PostgresConnection, options: WriterOptions = {}): Promise<PostgresWriter> {
  return openWithLease(connection, "head", options, async (sql, transactions, lease, close) => {
    await query(sql, FENCE_HEAD, [lease.epoch]);
    const found = await readHead(sql);
    let steps = found && stepWriter(sql, transactions, lease, found);
    let firstTips: PostgresWriter["firstTips"];
    const mapped = mapErrors(connection);
    return {
      get head() {
        return steps?.head.seqno ?? 0;
      },
      get tips() {
        return steps?.head.shards ?? [];
      },
      get firstTips() {
        return firstTips;
      },
      begin: mapped(async (genesis, readTips) => {
        await beginChain(transactions, genesis, lease.epoch, readTips);
        const { tips: found } = await readHistory(sql);
        firstTips = found.length === 0 ? undefined : found;
        if (steps) return;
        // Another process may have written the zero state, with a lower epoch.
        await query(sql, FENCE_HEAD, [lease.epoch]);
        const head = await readHead(sql);
        steps = head && stepWriter(sql, transactions, lease, head);
      }),
      write: mapped(async (some) => {
        if (!steps) throw new RangeError("begin() must be called before the first step");
        await steps.write(some);
      }),
      close,
    };
  });
}

/** Writes steps after a head. */
interface StepWriter {
  readonly head: HeadRow;
  write(steps: readonly Step[]): Promise<void>;
}

function stepWriter(sql: Database, transactions: Transactions, lease: Lease, found: HeadRow): StepWriter {
  let head = found;
  /** Whether the last write may have been committed although it failed. */
  let isDoubtful = false;
  const knownCells = new Set<string>();

  const isOwn = (stored: HeadRow | undefined, expected: HeadRow): boolean =>
    stored?.seqno === expected.seqno &&
    stored.epoch === lease.epoch &&
    isEqual(headRowRecord.encode(stored), headRowRecord.encode(expected));

  const read = (): Promise<HeadRow | undefined> => {
    const late = setTimeout(LONGEST_READ, undefined, { ref: false }).then(() => Promise.reject(lostConnection()));
    return Promise.race([readHead(sql), late]);
  };

  const move = async (tx: Queryable, from: HeadRow, to: HeadRow): Promise<void> => {
    const moved = await query(tx, MOVE_HEAD, [to.seqno, headRowRecord.encode(to), from.seqno, lease.epoch]);
    if (moved.count === 1) return;
    const stored = await readHead(tx);
    // PostgreSQL may execute a COMMIT of a lost connection after the retry has begun.
    if (!isOwn(stored, to)) throw whyNotMoved(stored, from, lease);
  };

  /** Returns the steps that still have to be written. */
  const remaining = async (steps: readonly Step[]): Promise<readonly Step[]> => {
    if (lease.isLost) throw lost();
    if (!isDoubtful) return steps;
    const stored = await read();
    if (stored?.epoch !== lease.epoch) throw lost();
    head = stored;
    isDoubtful = false;
    return steps.filter(({ masterchain }) => masterchain.id.seqno > head.seqno);
  };

  const commitSteps = async (steps: readonly Step[], before: HeadRow, next: HeadRow): Promise<void> => {
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
      async () => isOwn(await read(), next),
    );
    rememberCells(knownCells, batch);
  };

  return {
    get head() {
      return head;
    },
    write: async (given) => {
      const steps = await remaining(given);
      const before = head;
      const next = steps.reduce(headAfter, before);
      if (next === before) return;
      try {
        await commitSteps(steps, before, next);
        head = next;
      } catch (cause) {
        isDoubtful = isLostConnection(cause);
        throw cause;
      }
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

/** @throws PostgresStoreError if the step is of another chain. */
function headAfter(head: HeadRow, step: Step): HeadRow {
  const { seqno } = step.masterchain.id;
  if (seqno !== head.seqno + 1) throw new RangeError(`the step after ${head.seqno} must be ${head.seqno + 1}, got ${seqno}`);
  const transactionCount = head.transactionCount + countTransactions(step);
  return { epoch: head.epoch, seqno, transactionCount, shards: tipsAfter(head.shards, step) };
}

function whyNotMoved(stored: HeadRow | undefined, expected: HeadRow, lease: Lease): PostgresStoreError {
  if (stored?.epoch !== lease.epoch) return lost();
  const message = `the newest step in the database is ${stored.seqno}, expected ${expected.seqno}`;
  return new PostgresStoreError("lost", `${message}: it was restored, or another server took over before it had all steps`);
}

function lost(): PostgresStoreError {
  return new PostgresStoreError("lost", "another process writes this index now");
}
