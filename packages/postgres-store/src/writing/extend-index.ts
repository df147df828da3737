import { isEqual } from "@chain-query/format/cells";
import { blockName } from "@chain-query/format/identifiers";
import type { BlockHeader, Step, StepGenesis } from "@chain-query/format/store";
import { type Queryable, query } from "../database/client.ts";
import { readHistory, type StoredHistory, tipsRecord } from "../database/history-row.ts";
import { LOCK_HISTORY, MOVE_BEGIN } from "../database/statements.ts";
import { mapErrors } from "../database/store-error.ts";
import { FENCE_HISTORY } from "../partitions/partition-statements.ts";
import { type PostgresConnection, type PostgresExtension, PostgresStoreError } from "../types.ts";
import { beginChain, zeroAccountsWriter } from "./begin-chain.ts";
import { type Batch, encodeSteps, rememberCells, TABLES } from "./encode-steps.ts";
import { openWithLease, type WriterOptions } from "./lease.ts";
import { countTransactions, tipsAfter } from "./tips.ts";
import { commitWithRetries, encodeBatch, insertRows, writeBatch } from "./write-batch.ts";

/** The state of an account before its first change. After the steps that change it were added, this is another one. */
const DELETE_BASE = "DELETE FROM account_base WHERE account = $1 RETURNING record";

/** A row that is not the account of the zero state. */
const READ_OTHER_BASE = `SELECT account FROM account_base AS base WHERE NOT EXISTS (SELECT FROM account_versions AS version
  WHERE version.account = base.account AND version.mc_seqno = 0 AND version.record = base.record) LIMIT 1`;
const DELETE_ALL_BASE = "DELETE FROM account_base";
const UPDATE_CHAIN = "UPDATE chain SET record = $1 WHERE id = 1";
/** $1 epoch. */
const COMPLETE_HISTORY = `UPDATE history SET first_seqno = 0, begins_at = 0, end_lt = 0, tips = NULL
  WHERE id = 1 AND epoch = $1`;

/**
 * Opens an index that begins late, to add steps before its first one. A writer of the newest steps may write meanwhile.
 *
 * @throws PostgresStoreError `busy` if another process extends the index or drops history; RangeError if the index cannot be extended.
 *
 * @example
 * const extension = await openPostgresExtension({ url: "postgres://indexer@localhost/chain" });
 * const from = extension.firstSeqno - 20;
 * await extension.write(await source.tips(from - 1), steps);
 */
export async function openPostgresExtension(
  connection: PostgresConnection,
  options: WriterOptions = {},
): Promise<PostgresExtension> {
  // The steps of an index are extended and dropped at the same end.
  return openWithLease(connection, "history", options, async (sql, transactions, lease, close) => {
    await query(sql, FENCE_HISTORY, [lease.epoch]);
    let history = await readHistory(sql);
    requireExtensible(history);
    const knownCells = new Set<string>();
    const mapped = mapErrors(connection);

    const commit = async (batch: Batch, before: StoredHistory, after: StoredHistory): Promise<void> => {
      const encoded = encodeBatch(batch);
      const write = (isRepeated: boolean) => async (tx: Queryable) => {
        const locked = await readHistory(tx, LOCK_HISTORY);
        if (locked.firstSeqno !== before.firstSeqno || locked.beginsAt !== before.beginsAt) throw lost();
        await writeBatch(tx, encoded, isRepeated);
        await removeChanged(tx, batch);
        await insertRows(tx, TABLES.firstStates, batch.firstStates);
        const { firstSeqno, endLt, tips } = after;
        const count = locked.transactions + after.transactions - before.transactions;
        const row = [firstSeqno, before.firstSeqno, endLt, tipsRecord.encode(tips), count, lease.epoch];
        if ((await query(tx, MOVE_BEGIN, row)).count !== 1) throw lost();
      };
      await commitWithRetries(
        (isRepeated) => transactions.run(write(isRepeated)),
        async () => (await readHistory(sql)).firstSeqno === after.firstSeqno,
      );
      rememberCells(knownCells, batch);
    };

    return {
      get firstSeqno() {
        return history.firstSeqno;
      },
      begin: mapped((genesis: StepGenesis) => beginChain(transactions, genesis, 0n)),
      write: mapped(async (tips: readonly BlockHeader[], steps: readonly Step[]) => {
        if (lease.isLost) throw lost();
        const after = extended(history, tips, steps);
        await commit(encodeSteps(steps, knownCells), history, after);
        history = after;
      }),
      writeZeroState: mapped(async (genesis: StepGenesis) => {
        await commitWithRetries(
          async (isRepeated) => {
            const writeAccounts = await zeroAccountsWriter(genesis);
            await transactions.run(async (tx) => {
              const { firstSeqno, beginsAt } = await readHistory(tx, LOCK_HISTORY);
              if (firstSeqno !== 1 || beginsAt !== 1) throw lost();
              await query(tx, UPDATE_CHAIN, [await writeAccounts(tx, isRepeated)]);
              const [other] = await query<{ account: Buffer }>(tx, READ_OTHER_BASE);
              if (other) throw damagedBase(other.account);
              await query(tx, DELETE_ALL_BASE);
              if ((await query(tx, COMPLETE_HISTORY, [lease.epoch])).count !== 1) throw lost();
            });
          },
          async () => (await readHistory(sql)).beginsAt === 0,
        );
        history = await readHistory(sql);
      }),
      close,
    };
  });
}

function requireExtensible({ beginsAt, firstSeqno }: StoredHistory): void {
  if (beginsAt === 0) throw new RangeError("steps are added before an index that begins late; this one has the zero state");
  if (beginsAt < firstSeqno)
    throw new RangeError(
      `steps are added before the first step of an index; its steps from ${beginsAt} to ${firstSeqno - 1} were dropped`,
    );
}

/** The history with more steps. @throws PostgresStoreError of kind "fork" if the steps do not lead to its tips. */
function extended(history: StoredHistory, tips: readonly BlockHeader[], steps: readonly Step[]): StoredHistory {
  const [masterchain] = tips;
  const last = steps.at(-1)?.masterchain.id.seqno;
  if (!masterchain || last !== history.firstSeqno - 1 || masterchain.id.seqno !== last - steps.length)
    throw new RangeError(
      `the steps must end before step ${history.firstSeqno}, the first of the index, and begin after their tips`,
    );
  const reached = steps.reduce(tipsAfter, tips);
  for (const { id } of history.tips) {
    if (reached.some((tip) => isEqual(tip.id.rootHash, id.rootHash))) continue;
    throw new PostgresStoreError(
      "fork",
      `the source has another chain than the database: it has another block ${blockName(id)}`,
    );
  }
  return {
    ...history,
    firstSeqno: masterchain.id.seqno + 1,
    beginsAt: masterchain.id.seqno + 1,
    endLt: masterchain.endLt,
    tips,
    transactions: steps.reduce((sum, step) => sum + countTransactions(step), history.transactions),
  };
}

/** Removes accounts that the added steps change from `account_base`. Their states there are the newest ones of the steps. */
async function removeChanged(tx: Queryable, { versions }: Batch): Promise<void> {
  const newest = new Map<string, readonly [key: Uint8Array, record: Uint8Array]>();
  for (const [key, , record] of versions)
    if (key instanceof Uint8Array && record instanceof Uint8Array) newest.set(Buffer.from(key).toString("hex"), [key, record]);
  const removed = Array.from(newest.values(), async ([key, record]) => {
    const [row] = await query<{ record: Buffer }>(tx, DELETE_BASE, [key]);
    if (row && !row.record.equals(record)) throw damagedBase(key);
  });
  await Promise.all(removed);
}

function damagedBase(key: Uint8Array): PostgresStoreError {
  const message = `account ${Buffer.from(key).toString("hex")} of account_base is not the one before the index begins`;
  return new PostgresStoreError("damaged", message);
}

function lost(): PostgresStoreError {
  return new PostgresStoreError("lost", "another process extends the index or drops history now");
}
