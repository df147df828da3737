import { headerRecord } from "@chain-query/format/store";
import { type Queryable, query } from "./client.ts";
import { chainRecord, genesisHead, headRowRecord, type StoredChain } from "./head-record.ts";
import { BEFORE_FIRST_CHANGE, type HistoryRow, historyOf, type StoredHistory } from "./history-row.ts";
import { FENCE_HEAD, LOCK_HISTORY, READ_CHAIN } from "./statements.ts";
import { openTransactions } from "./transactions.ts";
import { type PostgresConnection, PostgresStoreError } from "./types.ts";
import { openWithLease, type WriterOptions } from "./writing/lease.ts";
import { tipsOf } from "./writing/tips.ts";

/** Locks out the commits of backfills. */
const LOCK_RANGES = "LOCK TABLE backfill_ranges IN SHARE ROW EXCLUSIVE MODE";
const LOCK_HEAD = "SELECT seqno, epoch, record FROM head WHERE id = 1 FOR UPDATE";
/** The newest block of each shard that ever existed. Jumps from one shard to the next in the index. $1 the last step. */
const READ_NEWEST_BLOCKS = `WITH RECURSIVE shards AS (
    (SELECT workchain, shard FROM blocks ORDER BY workchain, shard LIMIT 1)
    UNION ALL SELECT next.workchain, next.shard FROM shards CROSS JOIN LATERAL (SELECT workchain, shard FROM blocks
      WHERE (workchain, shard) > (shards.workchain, shards.shard) ORDER BY workchain, shard LIMIT 1) AS next)
  SELECT record FROM shards CROSS JOIN LATERAL (SELECT record FROM blocks WHERE workchain = shards.workchain
    AND shard = shards.shard AND mc_seqno <= $1 ORDER BY seqno DESC LIMIT 1) AS newest`;
/** $1 the last step that stays, $2 the head: backfills may have written transactions above it. */
const DELETE_TRANSACTIONS = `WITH deleted AS (DELETE FROM transactions WHERE mc_seqno > $1 RETURNING mc_seqno)
  SELECT count(*) FILTER (WHERE mc_seqno <= $2) AS count FROM deleted`;
const DELETE_VERSIONS = "DELETE FROM account_versions WHERE mc_seqno > $1";
/** States before first changes that were removed: no transaction verifies them now. */
const DELETE_FIRST_STATES = `DELETE FROM account_base WHERE mc_seqno = ${BEFORE_FIRST_CHANGE}
  AND NOT EXISTS (SELECT FROM account_versions AS version WHERE version.account = account_base.account)`;
const DELETE_BLOCKS = "DELETE FROM blocks WHERE mc_seqno > $1";
const DELETE_RANGES = "DELETE FROM backfill_ranges WHERE first_seqno > $1";
/** A range of joined steps. */
const SHORTEN_RANGES = "UPDATE backfill_ranges SET last_seqno = $1, next_seqno = $1 + 1 WHERE last_seqno > $1";
/** The removed transactions may be of steps that were added before the index: from now on, the head counts all. */
const COUNT_IN_HEAD = "UPDATE history SET transactions = 0 WHERE id = 1";
const REWIND_HEAD = "UPDATE head SET seqno = $1, record = $2, rewinds = rewinds + 1 WHERE id = 1";

/** The result of `rewindIndex`. */
export interface Rewound {
  /** Removed steps below the former head. */
  readonly steps: number;
  /** Their transactions. */
  readonly transactions: number;
}

/**
 * Removes all steps after one from an index, also those that backfills have written above the head, in one transaction. Readers go back to
 * this step, although their head never goes back otherwise. Cells of removed steps stay: they have no step. Reads the table of blocks and
 * the partitions of removed steps completely.
 *
 * @throws RangeError if the index cannot go back to the step; PostgresStoreError of kind `busy` if a process writes the index.
 *
 * @example
 * const { steps } = await rewindIndex({ url: "postgres://indexer@localhost/chain" }, 1_000_000);
 */
export async function rewindIndex(given: PostgresConnection, to: number, options: WriterOptions = {}): Promise<Rewound> {
  const connection = { applicationName: "chain-query rewind", ...given };
  return openWithLease(connection, "head", options, async (sql, unused, lease) => {
    // Deleting many rows exceeds the statement timeout of a writer.
    const transactions = openTransactions(connection, "migration");
    try {
      await query(sql, FENCE_HEAD, [lease.epoch]);
      return await transactions.run((tx) => rewind(tx, to, lease.epoch));
    } finally {
      await lease.release();
      await Promise.all([transactions.end(), unused.end(), sql.end({ timeout: 1 })]);
    }
  });
}

async function rewind(tx: Queryable, to: number, epoch: bigint): Promise<Rewound> {
  // PostgreSQL would go on with the statement of a process that was killed.
  await tx.unsafe("SET LOCAL client_connection_check_interval = 1000");
  await query(tx, LOCK_RANGES);
  // Also the commits of `dropHistory`.
  const [locked] = await query<HistoryRow>(tx, LOCK_HISTORY);
  const [row] = await query<{ seqno: number; epoch: bigint; record: Buffer }>(tx, LOCK_HEAD);
  const [chainRow] = await query<{ record: Buffer }>(tx, READ_CHAIN);
  if (!locked || !row || !chainRow) throw new PostgresStoreError("schema", "the database has no chain yet");
  if (row.epoch !== epoch) throw new PostgresStoreError("lost", "another process writes this index now");
  const { seqno: head } = row;
  const history = historyOf(locked);
  const { firstSeqno: first } = history;
  if (!(Number.isInteger(to) && to >= first && to <= head)) {
    const lowest = first === 0 ? "0, the zero state" : `${first}, the first that the index has`;
    throw new RangeError(`the step must be from ${lowest}, to ${head}, the head, got ${to}`);
  }
  const shards = await readTips(tx, chainRecord.decode(chainRow.record), history, to);
  await query(tx, DELETE_RANGES, [to]);
  await query(tx, SHORTEN_RANGES, [to]);
  const [deleted] = await query<{ count: bigint }>(tx, DELETE_TRANSACTIONS, [to, head]);
  await query(tx, DELETE_VERSIONS, [to]);
  await query(tx, DELETE_FIRST_STATES);
  await query(tx, DELETE_BLOCKS, [to]);
  const transactions = deleted?.count ?? 0n;
  const transactionCount = headRowRecord.decode(row.record).transactionCount + history.transactions - transactions;
  await query(tx, COUNT_IN_HEAD);
  await query(tx, REWIND_HEAD, [to, headRowRecord.encode({ transactionCount, shards })]);
  return { steps: head - to, transactions: Number(transactions) };
}

async function readTips(tx: Queryable, chain: StoredChain, { tips }: StoredHistory, to: number) {
  const rows = await query<{ record: Buffer }>(tx, READ_NEWEST_BLOCKS, [to]);
  const shards = tipsOf(
    tips.length > 0 ? tips : genesisHead(chain).shards,
    rows.map(({ record }) => headerRecord.decode(record)),
  );
  if (shards[0]?.id.seqno === to) return shards;
  throw new PostgresStoreError("damaged", `masterchain block ${to} is missing`);
}
