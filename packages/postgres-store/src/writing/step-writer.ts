import type { Step } from "@chain-query/chain-store";
import { isEqual } from "@chain-query/format/cells";
import type { Database, Queryable } from "../client.ts";
import { isLostConnection } from "../store-error.ts";
import type { Transactions } from "../transactions.ts";
import { PostgresStoreError } from "../types.ts";
import { encodeSteps, rememberCells } from "./encode-steps.ts";
import type { Lease } from "./lease.ts";
import { commitWithRetries, encodeBatch, writeBatch } from "./write-batch.ts";

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

  const isAt = async (expected: P): Promise<boolean> => isOwn(await row.read(sql), expected);

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
    const stored = await row.read(sql);
    if (stored?.epoch !== lease.epoch) throw lost();
    position = stored;
    isDoubtful = false;
    return steps.filter(({ masterchain }) => masterchain.id.seqno > position.seqno);
  };

  const commitSteps = async (steps: readonly Step[], before: P, next: P): Promise<void> => {
    const batch = encodeSteps(steps, knownCells);
    const encoded = encodeBatch(batch);
    const write = (isRepeated: boolean) => async (tx: Queryable) => {
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
