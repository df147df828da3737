import { list, type RecordType, recordType } from "@chain-query/chain-store";
import { type Database, type Queryable, query } from "../connection.ts";
import { nestedHeader } from "../head-record.ts";
import { mapErrors } from "../store-error.ts";
import type { PostgresBackfill, PostgresConnection } from "../types.ts";
import { beginChain } from "./genesis.ts";
import type { Lease } from "./lease.ts";
import { openWithLease, type WriterOptions } from "./open-with-lease.ts";
import { type Position, type PositionRow, stepWriter } from "./step-writer.ts";
import { countTransactions, endsAfter, type RangeEnds } from "./tips.ts";
import {
  FENCE_RANGE,
  INSERT_RANGE,
  MOVE_RANGE,
  READ_FINISHED_RANGE,
  READ_NEXT_RANGE,
  READ_OVERLAPPING,
  READ_RANGE,
} from "./write-statements.ts";

/** What the head needs to jump over a range. */
interface StoredRange extends RangeEnds {
  readonly transactionCount: bigint;
}

const rangeRecord: RecordType<StoredRange> = recordType(1024, (io, range) => ({
  transactionCount: io.u64(range?.transactionCount),
  first: list(io, io.u32(range?.first.length), range?.first, nestedHeader),
  last: list(io, io.u32(range?.last.length), range?.last, nestedHeader),
}));

const EMPTY: StoredRange = { transactionCount: 0n, first: [], last: [] };

interface RangePosition extends Position, StoredRange {}

/**
 * Opens a range of steps for writing, from `from` to `to`, beside a writer of the newest steps and of other ranges. Readers see its
 * steps when the head has reached the range and a writer calls `joinRanges`.
 *
 * @throws PostgresStoreError `busy` if another process writes this range; RangeError if it overlaps another one.
 *
 * @example
 * const backfill = await openPostgresBackfill(connection, { from: 1, to: 1_000_000 });
 * await backfill.begin(await source.genesis());
 * for await (const step of source.steps({ from: backfill.next, to: backfill.to }, signal)) await backfill.write([step]);
 */
export async function openPostgresBackfill(
  connection: PostgresConnection,
  { from, to }: { readonly from: number; readonly to: number },
  options: WriterOptions = {},
): Promise<PostgresBackfill> {
  if (!(Number.isInteger(from) && from >= 1 && Number.isInteger(to) && to >= from))
    throw new RangeError(`a range must be from a step to the same or a later one, got ${from} to ${to}`);
  return openWithLease(connection, `steps from ${from}`, options, async (sql, transactions, lease) => {
    await checkDisjoint(sql, from, to);
    await query(sql, INSERT_RANGE, [from, to, rangeRecord.encode(EMPTY)]);
    await query(sql, FENCE_RANGE, [lease.epoch, from]);
    const row = rangeRow(from, lease);
    const found = await row.read(sql);
    if (!found) throw new Error(`the range from ${from} was not stored`);
    const publish = options.publish ?? "atomic";
    const steps = stepWriter(sql, transactions, lease, found, row, publish);
    const mapped = mapErrors(connection);
    return {
      to,
      get next() {
        return steps.position.seqno + 1;
      },
      begin: mapped((genesis) => beginChain(transactions, genesis, 0n, publish)),
      write: mapped((some) => steps.write(some)),
      close: async () => {
        await lease.release();
        await Promise.all([transactions.end(), sql.end({ timeout: 1 })]);
      },
    };
  });
}

async function checkDisjoint(sql: Database, from: number, to: number): Promise<void> {
  const rows = await query<{ first_seqno: number; last_seqno: number }>(sql, READ_OVERLAPPING, [from, to]);
  for (const { first_seqno: first, last_seqno: last } of rows)
    if (first !== from || last !== to)
      throw new RangeError(`the range ${from} to ${to} must not overlap the range ${first} to ${last} of an earlier backfill`);
}

interface RangeRow {
  readonly next_seqno: number;
  readonly epoch: bigint;
  readonly record: Buffer;
}

function rangeRow(from: number, { epoch }: Lease): PositionRow<RangePosition> {
  return {
    read: async (sql) => {
      const [row] = await query<RangeRow & Record<string, unknown>>(sql, READ_RANGE, [from]);
      return row && { seqno: row.next_seqno - 1, epoch: row.epoch, ...rangeRecord.decode(row.record) };
    },
    move: async (sql, before, after) => {
      const parameters = [after.seqno + 1, rangeRecord.encode(after), from, before.seqno + 1, epoch];
      return (await query(sql, MOVE_RANGE, parameters)).count === 1;
    },
    after: (position, step) => ({
      epoch: position.epoch,
      seqno: step.masterchain.id.seqno,
      transactionCount: position.transactionCount + countTransactions(step),
      ...endsAfter(position, step),
    }),
  };
}

/** A range that is written to its end. */
export async function readFinishedRange(sql: Queryable, from: number): Promise<(StoredRange & { seqno: number }) | undefined> {
  const [row] = await query<{ last_seqno: number; record: Buffer }>(sql, READ_FINISHED_RANGE, [from]);
  return row && { seqno: row.last_seqno, ...rangeRecord.decode(row.record) };
}

/** The first step of the next range, of which at least one step before it is not written. */
export async function nextRange(sql: Queryable, head: number): Promise<number | undefined> {
  const [row] = await query<{ first_seqno: number }>(sql, READ_NEXT_RANGE, [head + 1]);
  return row?.first_seqno;
}
