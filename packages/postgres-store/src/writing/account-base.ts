import type { Cell } from "@chain-query/format/cells";
import { type AccountId, accountKey, accountOf, accountRecord, isUnchangedSince } from "@chain-query/format/store";
import { connect, type Queryable, query } from "../client.ts";
import { baseDigest, readHistory } from "../history-row.ts";
import { INSERT_BASE, LOCK_HISTORY, MOVE_BASE, SHARE_HISTORY } from "../statements.ts";
import { mapErrors } from "../store-error.ts";
import { openTransactions } from "../transactions.ts";
import type { PostgresConnection } from "../types.ts";
import { type Batch, type BulkRow, encodeAccounts, TABLES } from "./encode-steps.ts";
import { commitWithRetries, insertRows } from "./write-batch.ts";

/** Before the index begins, at a step that is not known. */
const EARLIER_STEP = -1;
/** Of the zero state, which has no transactions. */
const ZERO_STATE = 0;

/** Claims an account. A claim of a process that was killed expires. Uses the clock of the database. */
const CLAIM = `INSERT INTO account_reads (account, claimed) VALUES ($1, now()) ON CONFLICT (account) DO UPDATE SET claimed = now()
  WHERE account_reads.claimed < now() - INTERVAL '3 seconds' RETURNING claimed::text AS claim`;
/** Not a later claim of another instance. Also ends claims of processes that were killed. */
const RELEASE =
  "DELETE FROM account_reads WHERE account = $1 AND claimed = $2::text::timestamptz OR claimed < now() - INTERVAL '1 minute'";
/** Milliseconds for a claim: callers wait for it. */
const CLAIM_TIMEOUT = 1_000;

/** Keeps accounts that were read from the network, for all instances that read the index. */
export interface AccountBase {
  /**
   * Claims to read an account from the network. Returns the claim, which is its time; undefined while another instance has claimed the
   * account, for at most three seconds.
   */
  claim(account: AccountId): Promise<string | undefined>;
  /** Ends a claim, so that other instances continue. Does nothing if it has expired and another instance has claimed the account. */
  release(account: AccountId, claim: string): Promise<void>;
  /**
   * Keeps the state of an account before the first step of the index. Returns false if the index has got another first step since
   * it threw the `UnreadAccountError`, since steps before it may have changed the account.
   *
   * @param shardAccount - TL-B ShardAccount of an account that exists, as of a step up to which it is unchanged.
   * @param firstSeqno - Of the `UnreadAccountError`.
   * @throws PostgresStoreError, also if the role may only read.
   */
  keep(account: AccountId, shardAccount: Cell, hasTransactions: boolean, firstSeqno: number): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens `account_base` for accounts that have not changed since an index begins. Nothing is sent before the first call.
 *
 * @example
 * const base = openAccountBase({ url: "postgres://reader@localhost/chain" });
 * await base.keep(account, buildShardAccount(cell, last), last.lt > 0n, error.firstSeqno);
 */
export function openAccountBase(connection: PostgresConnection): AccountBase {
  const transactions = openTransactions(connection, "writer");
  const sql = connect({ statementTimeout: CLAIM_TIMEOUT, ...connection, connections: 1 }, "writer");
  const mapped = mapErrors(connection);
  return {
    claim: mapped(async (account) => (await query<{ claim: string }>(sql, CLAIM, [accountKey(account)]))[0]?.claim),
    release: mapped(async (account, claim) => void (await query(sql, RELEASE, [accountKey(account), claim]))),
    keep: mapped(async (account, shardAccount, hasTransactions, firstSeqno) => {
      const { cells, versions } = encodeAccounts([{ account, shardAccount }], new Set());
      const record = versions[0]?.[2];
      if (!(record instanceof Uint8Array)) throw new Error("an account has no record");
      const key = accountKey(account);
      const seqno = hasTransactions ? EARLIER_STEP : ZERO_STATE;
      let isKept = false;
      await commitWithRetries(
        () =>
          transactions.run(async (tx) => {
            const history = await readHistory(tx, LOCK_HISTORY);
            isKept = history.beginsAt > 0 && history.firstSeqno === firstSeqno;
            if (!isKept) return;
            await insertRows(tx, TABLES.cells, cells);
            if ((await query(tx, INSERT_BASE, [key, seqno, record])).count === 0) return;
            await query(tx, MOVE_BASE, [history.accounts + 1n, history.digest ^ baseDigest(key, seqno, record)]);
          }),
        // A row that exists is inserted once only.
        async () => false,
      );
      return isKept;
    }),
    close: async () => {
      await Promise.all([transactions.end(), sql.end({ timeout: 1 })]);
    },
  };
}

/**
 * Keeps the states before the first changes of accounts, except of those that steps change which were added before the index meanwhile.
 * Call it first in a transaction: all lock the row of `history` before other rows.
 */
export async function keepFirstStates(tx: Queryable, { firstStates }: Batch): Promise<void> {
  if (firstStates.length === 0) return;
  const { tips } = await readHistory(tx, SHARE_HISTORY);
  const isUnchanged = ([key, , record]: BulkRow): boolean =>
    key instanceof Uint8Array &&
    record instanceof Uint8Array &&
    isUnchangedSince(tips, accountOf(key), accountRecord.decode(record).last.lt);
  if (tips.length > 0) await insertRows(tx, TABLES.firstStates, firstStates.filter(isUnchanged));
}
