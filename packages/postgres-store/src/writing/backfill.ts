import { list, type RecordType, recordType } from "@chain-query/format/store";
import { type Database, type Queryable, query, type Row } from "../client.ts";
import { nestedHeader } from "../head-record.ts";
import { firstTipsOf, readHistory, type StoredHistory } from "../history-row.ts";
import {
  END_RANGE,
  FENCE_RANGE,
  INSERT_RANGE,
  MOVE_RANGE,
  READ_NEXT_RANGE,
  READ_OVERLAPPING,
  READ_RANGE,
} from "../statements.ts";
import { mapErrors } from "../store-error.ts";
import { type PostgresBackfill, type PostgresConnection, PostgresStoreError } from "../types.ts";
import { type Lease, openWithLease, type WriterOptions } from "./lease.ts";
import { beginChain, type Position, type PositionRow, stepWriter } from "./step-writer.ts";
import { countTransactions, endsAfter, type RangeEnds } from "./tips.ts";

/** The record of a range, from which the head moves over it. */
interface StoredRange extends RangeEnds {
  readonly transactionCount: bigint;
}

const rangeRecord: RecordType<StoredRange> = recordType(1024, (io, range) => ({
  transactionCount: io.u64(range?.transactionCount),
  first: list(io, io.u32(range?.first.length), range?.first, nestedHeader),
  last: list(io, io.u32(range?.last.length), range?.last, nestedHeader),
}));

const EMPTY: StoredRange = { transactionCount: 0n, first: [], last: [] };

interface RangePosition extends Position, StoredRange {
  /** The last step of the range. */
  readonly to: number;
}

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
    const firstTips = firstTipsOf(await checkNotDropped(sql, from));
    await query(sql, INSERT_RANGE, [from, to, rangeRecord.encode(EMPTY)]);
    await query(sql, FENCE_RANGE, [lease.epoch, from]);
    const row = rangeRow(from, lease);
    const found = await row.read(sql);
    if (!found) throw new Error(`the range from ${from} was not stored`);
    const steps = stepWriter(sql, transactions, lease, found, row);
    const mapped = mapErrors(connection);
    /** Whether the writer of the head has ended the range, and this process still has the lease. */
    const isEnded = async (): Promise<boolean> => {
      const stored = await row.read(sql);
      if (stored?.epoch !== lease.epoch || stored.seqno < stored.to) return false;
      end = stored.to;
      return true;
    };
    let end = found.to;
    return {
      get to() {
        return end;
      },
      get next() {
        return steps.position.seqno + 1;
      },
      firstTips,
      begin: mapped((genesis) => beginChain(transactions, genesis, 0n)),
      write: mapped(async (some) => {
        try {
          await steps.write(some);
        } catch (cause) {
          if (!(cause instanceof PostgresStoreError && cause.kind === "lost" && (await isEnded()))) throw cause;
        }
      }),
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

async function checkNotDropped(sql: Database, from: number): Promise<StoredHistory> {
  const history = await readHistory(sql);
  const { firstSeqno: first } = history;
  if (from >= first) return history;
  throw new RangeError(`a range must begin at step ${first} or later, the first that the index has, got ${from}`);
}

interface RangeRow extends Row {
  readonly last_seqno: number;
  readonly next_seqno: number;
  readonly epoch: bigint;
  readonly record: Buffer;
}

function rangeRow(from: number, { epoch }: Lease): PositionRow<RangePosition> {
  return {
    read: async (sql) => {
      const [row] = await query<RangeRow>(sql, READ_RANGE, [from]);
      return row && { to: row.last_seqno, seqno: row.next_seqno - 1, epoch: row.epoch, ...rangeRecord.decode(row.record) };
    },
    record: (range) => rangeRecord.encode(range),
    move: async (sql, before, after) => {
      const parameters = [after.seqno + 1, rangeRecord.encode(after), from, before.seqno + 1, epoch];
      return (await query(sql, MOVE_RANGE, parameters)).count === 1;
    },
    after: (position, step) => ({
      to: position.to,
      epoch: position.epoch,
      seqno: step.masterchain.id.seqno,
      transactionCount: position.transactionCount + countTransactions(step),
      ...endsAfter(position, step),
    }),
  };
}

/** The first range from a step on, with its last step as `seqno`. */
interface NextRange extends StoredRange {
  readonly from: number;
  readonly seqno: number;
  readonly isFinished: boolean;
}

export async function readNextRange(sql: Queryable, from: number): Promise<NextRange | undefined> {
  const [row] = await query<RangeRow & { readonly first_seqno: number }>(sql, READ_NEXT_RANGE, [from]);
  if (!row) return undefined;
  const { first_seqno, last_seqno: seqno, next_seqno, record } = row;
  return { from: first_seqno, seqno, isFinished: next_seqno > seqno, ...rangeRecord.decode(record) };
}

/** Makes the last step that was written the end of a range. */
export async function endRange(sql: Queryable, from: number): Promise<void> {
  await query(sql, END_RANGE, [from]);
}
