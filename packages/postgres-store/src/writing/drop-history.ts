import { type Database, type Queryable, query } from "../database/client.ts";
import { begun, readChain, readHead } from "../database/head-record.ts";
import { readHistory, readMasterchainBlock } from "../database/history-row.ts";
import { openTransactions } from "../database/transactions.ts";
import {
  copyVersions,
  dropPartition,
  FENCE_HISTORY,
  keepVacuumOut,
  MOVE_HISTORY,
  READ_FENCED_HISTORY,
  ROLLBACK_TO_SAVEPOINT,
  SAVEPOINT,
  sumBase,
} from "../partitions/partition-statements.ts";
import { LOCK_TIMEOUT, readBytes, readPartitions, retryWhileLocked } from "../partitions/partitions.ts";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";
import { openWithLease } from "./lease.ts";

/** Selects partitions all of whose steps are older. */
export interface DropOptions {
  /** Only steps below this one, or that are older than the newest one by so many seconds. */
  readonly before?: { readonly step: number } | { readonly seconds: number } | undefined;
  /** Returns the partitions without dropping them. */
  readonly dryRun?: boolean;
  readonly onDropped?: (partition: DroppedPartition) => void;
}

/** A dropped partition, or a partition that a dry run selects. */
export interface DroppedPartition {
  readonly from: number;
  /** The last step. */
  readonly to: number;
  /** Time of the last step, in Unix seconds. */
  readonly time: number;
  readonly bytes: number;
}

/** The result of `dropHistory`. */
export interface DroppedHistory {
  readonly dropped: readonly DroppedPartition[];
  /** The first step whose transactions and account versions remain. */
  readonly firstSeqno: number;
  /** Why the next partition remains, in a few words. */
  readonly kept: string;
}

/**
 * Drops the oldest partitions of transactions and account versions. Keeps the newest version of each account, and the steps that are younger
 * than the chain's retention. Drops each partition in one transaction: completely or not at all, even if the process is killed.
 *
 * @throws PostgresStoreError `busy` if another process drops history.
 *
 * @example
 * const { dropped, kept } = await dropHistory({ url: "postgres://indexer@localhost/chain" }, { before: { seconds: 90 * 86_400 }, dryRun: true });
 */
export async function dropHistory(given: PostgresConnection, options: DropOptions): Promise<DroppedHistory> {
  const connection = { applicationName: "chain-query history", ...given };
  return openWithLease(connection, "history", {}, async (sql, _writer, lease, close) => {
    // Copying the versions of a large partition exceeds the statement timeout of a writer.
    const transactions = openTransactions(connection, "migration");
    const dropped: DroppedPartition[] = [];
    try {
      await query(sql, FENCE_HISTORY, [lease.epoch]);
      for (;;) {
        const next = await nextPartition(sql, options, dropped.at(-1));
        if (typeof next === "string") return { dropped, firstSeqno: (await readHistory(sql)).firstSeqno, kept: next };
        if (!options.dryRun) await transactions.run((tx) => dropOne(tx, next, lease.epoch));
        dropped.push(next);
        options.onDropped?.(next);
      }
    } finally {
      await Promise.all([transactions.end(), close()]);
    }
  });
}

/** Returns the oldest partition if it may be dropped, otherwise the reason. @param after - The previous partition of a dry run. */
async function nextPartition(
  sql: Database,
  { before, dryRun }: DropOptions,
  after: DroppedPartition | undefined,
): Promise<DroppedPartition | string> {
  const partitions = await readPartitions(sql);
  const partition = partitions.find(({ from }) => !dryRun || after === undefined || from > after.to);
  const { retentionSeconds } = begun(await readChain(sql));
  const { seqno, shards } = begun(await readHead(sql));
  const { from, to } = begun(partition);
  if (to === undefined) return `step ${from} begins the newest partition`;
  if (to > seqno) return `step ${to - 1} is not below the head, ${seqno}`;
  if (before && "step" in before && to > before.step) return `step ${to - 1} is not before ${before.step}`;
  const block = await readMasterchainBlock(sql, await readHistory(sql), to - 1);
  const [newest] = shards;
  if (!block || !newest) throw new PostgresStoreError("damaged", `masterchain block ${to - 1} is missing`);
  const { time } = block;
  const age = newest.time - time;
  if (age <= retentionSeconds) return `step ${to - 1} is younger than the chain's retention, ${retentionSeconds} s`;
  if (before && "seconds" in before && age <= before.seconds) return `step ${to - 1} is younger than ${before.seconds} s`;
  return { from, to: to - 1, time, bytes: await readBytes(sql, from) };
}

/** Updates the stored digest by the difference of the copied rows, so that `verifyIndex` still finds other changes of `account_base`. */
async function dropOne(tx: Queryable, { from, to }: DroppedPartition, epoch: bigint): Promise<void> {
  const [kept] = await query<BaseRow & { first_seqno: number; epoch: bigint }>(tx, READ_FENCED_HISTORY);
  // An index may begin after the oldest partition does, and at its end at the latest.
  if (!kept || kept.epoch !== epoch || kept.first_seqno > to + 1)
    throw new PostgresStoreError("lost", "another process drops history now");
  await retryWhileLocked(() => tx.unsafe(keepVacuumOut(from)), 0);
  const [before] = await query<BaseRow>(tx, sumBase(from));
  await tx.unsafe(copyVersions(from));
  const [after] = await query<BaseRow>(tx, sumBase(from));
  const block = await readMasterchainBlock(tx, await readHistory(tx), to);
  if (!before || !after || !block) throw new PostgresStoreError("damaged", `masterchain block ${to} is missing`);
  const accounts = kept.accounts + after.accounts - before.accounts;
  const digest = kept.digest ^ before.digest ^ after.digest;
  await query(tx, MOVE_HISTORY, [to + 1, block.endLt, accounts, digest]);
  const drop = async () => {
    await tx.unsafe(SAVEPOINT);
    await tx.unsafe(dropPartition(from));
  };
  await retryWhileLocked(drop, LOCK_TIMEOUT, () => tx.unsafe(ROLLBACK_TO_SAVEPOINT));
}

/** Rows of `account_base`. */
type BaseRow = { readonly accounts: bigint; readonly digest: bigint };
