import { NO_ACCOUNT } from "@chain-query/format/accounts";
import { type Cell, CellBuilder, CellReader, isEqual, readBoc, writeBoc } from "@chain-query/format/cells";
import { accountName, readAddress } from "@chain-query/format/identifiers";
import {
  type AccountId,
  accountKey,
  accountOf,
  accountRecord,
  cellsOfTransaction,
  storedAccount,
  storedTransaction,
  type TransactionId,
  transactionRecord,
} from "@chain-query/format/store";
import { decodeTransaction } from "@chain-query/format/transactions";
import { type Database, query } from "../client.ts";
import { type ZeroAccounts, ZeroAccountsSum } from "../head-record.ts";
import { BEFORE_FIRST_CHANGE, type StoredHistory } from "../history-row.ts";
import { sumBase } from "../partitions/partition-statements.ts";
import { type KeptCells, must, mustEqual, naming, RowStream } from "./rows.ts";

const TRANSACTIONS_PAGE = `SELECT account, lt, mc_seqno, in_created_lt, record FROM transactions
  WHERE mc_seqno <= $1 AND (account, lt, mc_seqno) > ($3, $4, $5) ORDER BY account, lt, mc_seqno LIMIT $2`;
const VERSIONS_PAGE = `SELECT account, mc_seqno, record FROM account_versions
  WHERE mc_seqno <= $1 AND (account, mc_seqno) > ($3, $4) ORDER BY account, mc_seqno LIMIT $2`;
const BASE_PAGE = `SELECT account, mc_seqno, record FROM account_base
  WHERE mc_seqno <= $1 AND account > $3 ORDER BY account LIMIT $2`;

const HAS_TRANSACTION = "SELECT FROM transactions WHERE account = $1 LIMIT 1";
const READ_BASE_SUMS = `SELECT base.*, history.accounts AS kept, history.digest AS stored
  FROM history CROSS JOIN (${sumBase()}) AS base WHERE history.id = 1`;

interface TransactionRow extends Record<string, unknown> {
  readonly account: Buffer;
  readonly lt: bigint;
  readonly mc_seqno: number;
  readonly in_created_lt: bigint | null;
  readonly record: Buffer;
}

interface VersionRow extends Record<string, unknown> {
  readonly account: Buffer;
  readonly mc_seqno: number;
  readonly record: Buffer;
}

/** The state of an account at a point of its history. */
interface Progress {
  last: TransactionId;
  /** Hash of the account's cell. An account outside of the zero state begins as account_none. */
  stateHash: Uint8Array;
  /** Masterchain block of the last transaction; 0 if its version was checked. */
  seqno: number;
  /** Whether the index begins late, and does not have the state of the account before that. */
  isUnread: boolean;
}

interface Streams {
  readonly transactions: RowStream<TransactionRow>;
  readonly versions: RowStream<VersionRow>;
  /** The newest dropped version of each account. */
  readonly base: RowStream<VersionRow>;
  readonly history: StoredHistory;
  readonly cells: KeptCells;
  readonly zeroAccounts: ZeroAccountsSum;
  /** Called for each transaction, with its masterchain block. */
  readonly count: (seqno: number) => void;
}

/** The result of `verifyAccounts`. */
interface VerifiedAccounts {
  readonly accounts: number;
  readonly zeroAccounts: ZeroAccounts;
}

/**
 * Checks account after account: each transaction links to its predecessor or to the newest dropped version, and each version is the state
 * after the last transaction of its step.
 */
export async function verifyAccounts(
  sql: Database,
  head: number,
  history: StoredHistory,
  cells: KeptCells,
  count: (seqno: number) => void,
): Promise<VerifiedAccounts> {
  const nothing = new Uint8Array();
  const streams = {
    ...{ cells, count, history },
    zeroAccounts: new ZeroAccountsSum(),
    transactions: new RowStream<TransactionRow>(sql, TRANSACTIONS_PAGE, head, [nothing, 0n, 0], (row) => [
      row.account,
      row.lt,
      row.mc_seqno,
    ]),
    versions: new RowStream<VersionRow>(sql, VERSIONS_PAGE, head, [nothing, 0], (row) => [row.account, row.mc_seqno]),
    base: new RowStream<VersionRow>(sql, BASE_PAGE, head, [nothing], (row) => [row.account]),
  };
  for (let accounts = 0; ; accounts++) {
    const rows = [await streams.transactions.peek(), await streams.versions.peek(), await streams.base.peek()];
    const key = rows.map((row) => row?.account).reduce(lowest);
    if (!key) {
      await checkBaseSum(sql);
      return { accounts, zeroAccounts: streams.zeroAccounts.value };
    }
    await verifyAccount(sql, streams, key);
  }
}

function lowest(a: Buffer | undefined, b: Buffer | undefined): Buffer | undefined {
  return a && b ? (a.compare(b) <= 0 ? a : b) : (a ?? b);
}

async function verifyAccount(sql: Database, streams: Streams, key: Buffer): Promise<void> {
  const { transactions, versions, base, cells, count, history, zeroAccounts } = streams;
  const account = accountOf(key);
  const progress: Progress = {
    last: { lt: 0n, hash: new Uint8Array(32) },
    stateHash: NO_ACCOUNT.hash,
    seqno: 0,
    isUnread: history.beginsAt > 0,
  };
  const dropped = await base.peek();
  if (dropped?.account.equals(key)) {
    must(
      dropped.mc_seqno < history.firstSeqno,
      () => `step ${dropped.mc_seqno} of account ${accountName(account)} was not dropped`,
    );
    await checkVersion(account, progress, dropped, cells, true);
    base.take();
    // The first change may be a step after the verified ones.
    const isVerified = dropped.mc_seqno !== BEFORE_FIRST_CHANGE || (await transactions.peek())?.account.equals(key) === true;
    const isChanged = isVerified || (await query(sql, HAS_TRANSACTION, [key])).count > 0;
    must(isChanged, () => `account ${accountName(account)} has a state before its first change, and no change`);
  }
  for (;;) {
    const version = await versions.peek();
    const transaction = await transactions.peek();
    const nextVersion = version?.account.equals(key) ? version : undefined;
    const next = transaction?.account.equals(key) ? transaction : undefined;
    // The transactions of a step come before the version that they made.
    if (next && (!nextVersion || next.mc_seqno <= nextVersion.mc_seqno)) {
      must(progress.seqno === 0 || progress.seqno === next.mc_seqno, () => missingVersion(account, progress.seqno));
      await checkTransaction(account, progress, next, streams);
      count(next.mc_seqno);
      transactions.take();
    } else if (nextVersion) {
      await checkVersion(account, progress, nextVersion, cells, nextVersion.mc_seqno === 0);
      if (nextVersion.mc_seqno === 0) zeroAccounts.add(key, nextVersion.record);
      versions.take();
    } else {
      must(progress.seqno === 0, () => missingVersion(account, progress.seqno));
      return;
    }
  }
}

function missingVersion(account: AccountId, seqno: number): string {
  return `the version of account ${accountName(account)} as of masterchain block ${seqno} is missing`;
}

async function checkTransaction(
  account: AccountId,
  progress: Progress,
  row: TransactionRow,
  { cells, history }: Streams,
): Promise<void> {
  const name = (): string => `transaction ${row.lt} of account ${accountName(account)}`;
  await naming(name, async () => {
    const { data } = transactionRecord.decode(row.record);
    const cell = readBoc(data);
    const decoded = decodeTransaction(cell);
    mustEqual(decoded.id.lt, row.lt, () => `lt in the record of ${name()}`);
    mustEqual(decoded.accountHash, account.hash, () => `account in the record of ${name()}`);
    const expected = storedTransaction(decoded, writeBoc(cell), row.mc_seqno, ({ hash }) => hash);
    mustEqual(row.record, transactionRecord.encode(expected), () => `record of ${name()}`);
    const { inMessage } = decoded;
    const createdLt = inMessage?.source && inMessage.destination ? inMessage.createdLt : null;
    mustEqual(row.in_created_lt, createdLt, () => `created lt of the message of ${name()}`);
    for (const hash of cellsOfTransaction(row.record)) await cells.get(hash);
    must(decoded.id.lt > progress.last.lt, () => `${name()} does not follow the previous one, ${progress.last.lt}`);
    const { oldHash, newHash } = stateChangeOf(cell);
    if (progress.isUnread) {
      must(
        decoded.previous.lt === 0n || decoded.previous.lt < history.endLt,
        () => `transaction ${decoded.previous.lt}, before ${name()}, is missing`,
      );
      progress.isUnread = false;
    } else {
      // An account that was deleted in an earlier block has no previous transaction.
      const isMadeAgain = isEqual(progress.stateHash, NO_ACCOUNT.hash) && decoded.previous.lt === 0n;
      const previous = isMadeAgain ? { lt: 0n, hash: new Uint8Array(32) } : progress.last;
      mustEqual(decoded.previous.lt, previous.lt, () => `previous lt of ${name()}`);
      mustEqual(decoded.previous.hash, previous.hash, () => `previous hash of ${name()}`);
      mustEqual(oldHash, progress.stateHash, () => `hash of the state before ${name()}`);
    }
    progress.last = decoded.id;
    progress.stateHash = newHash;
    progress.seqno = row.mc_seqno;
  });
}

/** The HASH_UPDATE of a transaction is its second last reference. */
function stateChangeOf(cell: Cell): { readonly oldHash: Uint8Array; readonly newHash: Uint8Array } {
  const update = cell.refs.at(-2);
  must(update !== undefined, () => "a transaction has no HASH_UPDATE");
  const reader = new CellReader(update).skip(8);
  return { oldHash: reader.bytes(32), newHash: reader.bytes(32) };
}

/** Checks a version against the transactions since the previous version. @param isFirst - Whether no older row exists. */
async function checkVersion(
  account: AccountId,
  progress: Progress,
  row: VersionRow,
  cells: KeptCells,
  isFirst: boolean,
): Promise<void> {
  const name = (): string => `account ${accountName(account)} as of masterchain block ${row.mc_seqno}`;
  await naming(name, async () => {
    const stored = accountRecord.decode(row.record);
    const cell = await cells.accountCell(stored.cell);
    const shardAccount = new CellBuilder().ref(cell).bytes(stored.last.hash).bigUint(stored.last.lt, 64).cell();
    const expected = accountRecord.encode(storedAccount(shardAccount, ({ hash }) => hash));
    mustEqual(row.record, expected, () => `record of ${name()}`);
    // TL-B account_none$0 has no address; account$1 begins with it.
    const address = cell.bitLength === 1 ? account : readAddress(new CellReader(cell).skip(1));
    mustEqual(address && accountKey(address), row.account, () => `address in the record of ${name()}`);
    if (isFirst) progress.last = stored.last;
    else {
      must(progress.seqno !== 0, () => `${name()} has a version, and no transaction`);
      mustEqual(row.mc_seqno, progress.seqno, () => `step of the version of ${name()}`);
      mustEqual(cell.hash, progress.stateHash, () => `hash of the state of ${name()}`);
    }
    mustEqual(stored.last.lt, progress.last.lt, () => `lt of the last transaction of ${name()}`);
    mustEqual(stored.last.hash, progress.last.hash, () => `hash of the last transaction of ${name()}`);
    progress.stateHash = cell.hash;
    progress.seqno = 0;
    progress.isUnread = false;
  });
}

/** Compares `account_base` with the stored count and digest: no later transaction refers to the rows of accounts that did not change again. */
async function checkBaseSum(sql: Database): Promise<void> {
  // One statement: instances may keep accounts meanwhile.
  const [row] = await query<{ accounts: bigint; digest: bigint; kept: bigint; stored: bigint }>(sql, READ_BASE_SUMS);
  must(row !== undefined, () => "table history has no row");
  mustEqual(row.accounts, row.kept, () => "number of accounts that dropped steps left");
  mustEqual(row.digest, row.stored, () => "digest of the accounts that dropped steps left");
}
