import { buildShardAccount, NO_ACCOUNT } from "@chain-query/format/accounts";
import { type Cell, isEqual, readBoc } from "@chain-query/format/cells";
import { accountName, NO_TRANSACTION } from "@chain-query/format/identifiers";
import {
  type AccountId,
  accountOf,
  accountRecord,
  cellsOfTransaction,
  decodeAccount,
  type TransactionId,
  transactionRecord,
} from "@chain-query/format/store";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { type Database, query, type Row } from "../database/client.ts";
import { type ZeroAccounts, ZeroAccountsSum } from "../database/head-record.ts";
import { BEFORE_FIRST_CHANGE, type StoredHistory } from "../database/history-row.ts";
import { TABLES, transactionRow, versionRow } from "../writing/encode-steps.ts";
import { type KeptCells, keptCells, must, mustBe, mustEqual, naming, rowsOf } from "./rows.ts";

const HAS_TRANSACTION = "SELECT FROM transactions WHERE account = $1 LIMIT 1";

/** A row of one of the three tables of accounts. */
interface AccountRow extends Row {
  readonly account: Buffer;
  readonly mc_seqno: number;
  readonly record: Buffer;
}

/** The order of the rows of an account in a step. */
const ORDER = ["firstStates", "transactions", "versions"] as const;
type Placed = readonly [table: (typeof ORDER)[number], row: AccountRow];

/** An account after the rows that were checked. */
interface Progress {
  readonly key: Buffer;
  readonly account: AccountId;
  last: TransactionId;
  /** Hash of the account's cell. An account outside of the zero state begins as account_none. */
  stateHash: Uint8Array;
  /** Masterchain block of the last transaction; 0 if its version was checked. */
  seqno: number;
  /** Whether the state before the first step that is checked is not known. */
  isUnread: boolean;
  /** Whether there is a state before a first change, which no step has made yet. */
  isUnchanged: boolean;
}

/** The steps that are checked, and the end of those before. */
export interface VerifiedSteps extends Pick<StoredHistory, "firstSeqno" | "endLt" | "beginsAt"> {
  readonly head: number;
  /** Whether the index has steps before `beginsAt`. */
  readonly isPart: boolean;
}

/** The result of `verifyAccounts`. */
interface VerifiedAccounts {
  readonly accounts: number;
  readonly zeroAccounts: ZeroAccounts;
}

interface Context {
  readonly sql: Database;
  readonly steps: VerifiedSteps;
  readonly cells: KeptCells;
}

/**
 * Checks account after account: each row is what a writer makes of its cells, each transaction links to its predecessor or to the newest
 * dropped version, and each version is the state after the last transaction of its step.
 *
 * @param count - Called for each transaction, with its masterchain block.
 */
export async function verifyAccounts(
  sql: Database,
  steps: VerifiedSteps,
  count: (seqno: number) => void,
): Promise<VerifiedAccounts> {
  const context = { sql, steps, cells: keptCells(sql) };
  const zeroAccounts = new ZeroAccountsSum();
  let accounts = 0;
  let progress: Progress | undefined;
  for await (const [table, row] of accountRows(sql, steps)) {
    if (!progress?.key.equals(row.account)) {
      if (progress) await endAccount(context, progress);
      progress = beginAccount(context, row.account);
      accounts += 1;
    }
    const found = progress;
    if (table === "transactions") {
      const name = () => `transaction ${row["lt"]} of account ${accountName(found.account)}`;
      await naming(name, () => checkTransaction(context, found, row, name));
      count(row.mc_seqno);
    } else {
      const name = () => `account ${accountName(found.account)} as of masterchain block ${row.mc_seqno}`;
      await naming(name, () => checkVersion(context, found, row, table === "firstStates", name));
      if (table === "versions" && row.mc_seqno === 0) zeroAccounts.add(row.account, row.record);
    }
  }
  if (progress) await endAccount(context, progress);
  return { accounts, zeroAccounts: zeroAccounts.value };
}

function beginAccount({ steps }: Context, key: Buffer): Progress {
  const nothing = { last: NO_TRANSACTION, stateHash: NO_ACCOUNT.hash, seqno: 0 };
  return { key, account: accountOf(key), ...nothing, isUnread: steps.beginsAt > 0, isUnchanged: false };
}

async function endAccount({ sql }: Context, { key, account, seqno, isUnchanged }: Progress): Promise<void> {
  must(seqno === 0, () => missingVersion(account, seqno));
  // The first change may be a step after the checked ones.
  const isChanged = !isUnchanged || (await query(sql, HAS_TRANSACTION, [key])).count > 0;
  must(isChanged, () => `account ${accountName(account)} has a state before its first change, and no change`);
}

async function checkTransaction(
  { steps, cells }: Context,
  progress: Progress,
  row: AccountRow,
  name: () => string,
): Promise<void> {
  const { account, last, seqno, stateHash, isUnread } = progress;
  must(seqno === 0 || seqno === row.mc_seqno, () => missingVersion(account, seqno));
  const cell = readBoc(transactionRecord.decode(row.record).data);
  const { account: hash, lt, previousLt, previousHash, oldStateHash, newStateHash } = readTransactionHeader(cell);
  const made = { account: { workchain: account.workchain, hash }, cell };
  mustBe(TABLES.transactions, row, transactionRow(made, row.mc_seqno, hashOf), name);
  for (const kept of cellsOfTransaction(row.record)) await cells.get(kept);
  must(lt > last.lt, () => `${name()} does not follow the previous one, ${last.lt}`);
  if (isUnread) {
    must(previousLt === 0n || previousLt < steps.endLt, () => `transaction ${previousLt}, before ${name()}, is missing`);
  } else {
    // An account that was deleted in an earlier block has no previous transaction.
    const isMadeAgain = isEqual(stateHash, NO_ACCOUNT.hash) && previousLt === 0n;
    const previous = isMadeAgain ? NO_TRANSACTION : last;
    mustEqual(previousLt, previous.lt, () => `previous lt of ${name()}`);
    mustEqual(previousHash, previous.hash, () => `previous hash of ${name()}`);
    mustEqual(oldStateHash, stateHash, () => `hash of the state before ${name()}`);
  }
  const after = { last: { lt, hash: cell.hash }, stateHash: newStateHash, seqno: row.mc_seqno };
  Object.assign(progress, { ...after, isUnread: false, isUnchanged: false } satisfies Partial<Progress>);
}

/** Checks a version against the transactions since the previous one. @param isDropped - Whether it is left of dropped steps. */
async function checkVersion(
  { steps, cells }: Context,
  progress: Progress,
  row: AccountRow,
  isDropped: boolean,
  name: () => string,
): Promise<void> {
  const { account, seqno } = progress;
  must(
    !isDropped || row.mc_seqno < steps.firstSeqno,
    () => `step ${row.mc_seqno} of account ${accountName(account)} was not dropped`,
  );
  // Throws if the record is that of another account.
  decodeAccount(account, row.record, (hash) => hash);
  const stored = accountRecord.decode(row.record);
  const { last } = stored;
  const cell = await cells.accountCell(stored.cell);
  const made = { account, shardAccount: buildShardAccount(cell, last) };
  mustBe(TABLES.versions, row, versionRow(made, row.mc_seqno, hashOf), name);
  if (!isDropped && row.mc_seqno > 0) {
    must(seqno !== 0, () => `${name()} has a version, and no transaction`);
    must(seqno === row.mc_seqno, () => missingVersion(account, seqno));
    mustEqual(cell.hash, progress.stateHash, () => `hash of the state of ${name()}`);
    mustEqual(last.lt, progress.last.lt, () => `lt of the last transaction of ${name()}`);
    mustEqual(last.hash, progress.last.hash, () => `hash of the last transaction of ${name()}`);
  }
  const after = { last, stateHash: cell.hash, seqno: 0, isUnread: false };
  Object.assign(progress, { ...after, isUnchanged: row.mc_seqno === BEFORE_FIRST_CHANGE } satisfies Partial<Progress>);
}

function hashOf({ hash }: Cell): Uint8Array {
  return hash;
}

function missingVersion(account: AccountId, seqno: number): string {
  return `the version of account ${accountName(account)} as of masterchain block ${seqno} is missing`;
}

/** The rows of the tables by account, then by step. */
async function* accountRows(sql: Database, { isPart, beginsAt, head }: VerifiedSteps): AsyncGenerator<Placed> {
  const tables = isPart ? ORDER.slice(1) : ORDER;
  const streams = tables.map((table) => ({
    table,
    rows: rowsOf<AccountRow>(sql, TABLES[table], [isPart ? beginsAt : BEFORE_FIRST_CHANGE, head]),
    row: undefined as AccountRow | undefined,
  }));
  const advance = async (stream: (typeof streams)[number]): Promise<void> => {
    stream.row = (await stream.rows.next()).value;
  };
  for (const stream of streams) await advance(stream);
  for (;;) {
    let first: Placed | undefined;
    for (const { table, row } of streams) if (row && (!first || isBefore([table, row], first))) first = [table, row];
    if (!first) return;
    yield first;
    for (const stream of streams) if (stream.row === first[1]) await advance(stream);
  }
}

function isBefore([table, row]: Placed, [otherTable, other]: Placed): boolean {
  const byAccount = row.account.compare(other.account);
  if (byAccount !== 0) return byAccount < 0;
  // Dropped steps come before all others.
  if (table === "firstStates" || otherTable === "firstStates") return table === "firstStates";
  return row.mc_seqno < other.mc_seqno || (row.mc_seqno === other.mc_seqno && table === "transactions");
}
