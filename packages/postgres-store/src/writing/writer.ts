import { type Database, type Queryable, query } from "../client.ts";
import { headRowRecord, type StoredHead } from "../head-record.ts";
import { firstTipsOf, readHistory } from "../history-row.ts";
import { FENCE_HEAD, MOVE_HEAD, READ_HEAD } from "../statements.ts";
import { mapErrors } from "../store-error.ts";
import type { Transactions } from "../transactions.ts";
import type { PostgresConnection, PostgresWriter } from "../types.ts";
import { endRange, readNextRange } from "./backfill.ts";
import { type Lease, openWithLease, type WriterOptions } from "./lease.ts";
import { beginChain, type Position, type PositionRow, type StepWriter, stepWriter } from "./step-writer.ts";
import { countTransactions, tipsAfter, tipsAfterRange } from "./tips.ts";

interface HeadPosition extends StoredHead, Position {}

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
  return openWithLease(connection, "head", options, async (sql, transactions, lease) => {
    await query(sql, FENCE_HEAD, [lease.epoch]);
    return headWriter(sql, transactions, lease, await readHead(sql), connection);
  });
}

function headWriter(
  sql: Database,
  transactions: Transactions,
  lease: Lease,
  found: HeadPosition | undefined,
  connection: PostgresConnection,
): PostgresWriter {
  const writerFrom = (head: HeadPosition): StepWriter<HeadPosition> =>
    stepWriter(sql, transactions, lease, head, headRow(lease));
  let steps = found && writerFrom(found);
  const begun = (): StepWriter<HeadPosition> => {
    if (!steps) throw new RangeError("begin() must be called before the first step");
    return steps;
  };
  const mapped = mapErrors(connection);
  let firstTips: PostgresWriter["firstTips"];
  return {
    get head() {
      return steps?.position.seqno ?? 0;
    },
    get tips() {
      return steps?.position.shards ?? [];
    },
    get firstTips() {
      return firstTips;
    },
    begin: mapped(async (genesis, readTips) => {
      await beginChain(transactions, genesis, lease.epoch, readTips);
      firstTips = firstTipsOf(await readHistory(sql));
      if (steps) return;
      // Another process may have written the zero state, with a lower epoch.
      await query(sql, FENCE_HEAD, [lease.epoch]);
      const head = await readHead(sql);
      steps = head && writerFrom(head);
    }),
    write: mapped((some) => begun().write(some)),
    joinRanges: mapped(async () => {
      for (;;) {
        const { position } = begun();
        const range = await readNextRange(sql, position.seqno + 1);
        if (range?.from !== position.seqno + 1) return range?.from;
        if (!range.isFinished) {
          await endRange(sql, range.from);
          // The backfill may have written more meanwhile.
          continue;
        }
        const transactionCount = position.transactionCount + range.transactionCount;
        const shards = tipsAfterRange(position.shards, range);
        await begun().moveTo({ ...position, seqno: range.seqno, transactionCount, shards });
      }
    }),
    close: async () => {
      await lease.release();
      await Promise.all([transactions.end(), sql.end({ timeout: 1 })]);
    },
  };
}

function headRow({ epoch }: Lease): PositionRow<HeadPosition> {
  return {
    read: readHead,
    record: (head) => headRowRecord.encode(head),
    move: async (sql, from, to) => {
      const { count } = await query(sql, MOVE_HEAD, [to.seqno, headRowRecord.encode(to), from.seqno, epoch]);
      return count === 1;
    },
    after: (head, step) => ({
      epoch: head.epoch,
      seqno: step.masterchain.id.seqno,
      transactionCount: head.transactionCount + countTransactions(step),
      shards: tipsAfter(head.shards, step),
    }),
  };
}

async function readHead(sql: Queryable): Promise<HeadPosition | undefined> {
  const [row] = await query<{ seqno: number; epoch: bigint; record: Buffer }>(sql, READ_HEAD);
  return row && { seqno: row.seqno, epoch: row.epoch, ...headRowRecord.decode(row.record) };
}
