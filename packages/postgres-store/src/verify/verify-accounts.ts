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
} from "@chain-query/chain-store";
import { NO_ACCOUNT } from "@chain-query/format/accounts";
import { type Cell, CellBuilder, CellReader, readBoc, writeBoc } from "@chain-query/format/cells";
import { accountName, readAddress } from "@chain-query/format/identifiers";
import { decodeTransaction } from "@chain-query/format/transactions";
import type { Database } from "../client.ts";
import { type ZeroAccounts, ZeroAccountsSum } from "../zero-accounts.ts";
import { BaseSum, type StoredHistory } from "./base-sum.ts";
import { must, mustEqual, naming } from "./fault.ts";
import type { KeptCells } from "./kept-cells.ts";
import { RowStream } from "./row-stream.ts";
import { BASE_PAGE, TRANSACTIONS_PAGE, VERSIONS_PAGE } from "./statements.ts";

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

/** What is known of an account at a point of its history. */
interface Progress {
  last: TransactionId;
  /** Hash of the account's cell. An account that is not in the zero state begins as none. */
  stateHash: Uint8Array;
  /** Of the masterchain block of the last transaction. */
  seqno: number;
}

interface Streams {
  readonly transactions: RowStream<TransactionRow>;
  readonly versions: RowStream<VersionRow>;
  /** The newest dropped version of each account. */
  readonly base: RowStream<VersionRow>;
  readonly baseSum: BaseSum;
  readonly history: StoredHistory;
  readonly cells: KeptCells;
  readonly zeroAccounts: ZeroAccountsSum;
  /** Called for each transaction, with its masterchain block. */
  readonly count: (seqno: number) => void;
}

/** What was checked. */
interface VerifiedAccounts {
  readonly accounts: number;
  readonly zeroAccounts: ZeroAccounts;
}

/**
 * Checks account after account: each transaction links to the one before it, or to the newest dropped version, and each version is what
 * the last transaction of its step left.
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
    ...{ zeroAccounts: new ZeroAccountsSum(), baseSum: new BaseSum() },
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
      streams.baseSum.mustBe(history);
      return { accounts, zeroAccounts: streams.zeroAccounts.value };
    }
    await verifyAccount(streams, key);
  }
}

function lowest(a: Buffer | undefined, b: Buffer | undefined): Buffer | undefined {
  return a && b ? (a.compare(b) <= 0 ? a : b) : (a ?? b);
}

async function verifyAccount(streams: Streams, key: Buffer): Promise<void> {
  const { transactions, versions, base, cells, count, history, zeroAccounts, baseSum } = streams;
  const account = accountOf(key);
  const progress: Progress = { last: { lt: 0n, hash: new Uint8Array(32) }, stateHash: NO_ACCOUNT.hash, seqno: 0 };
  const dropped = await base.peek();
  if (dropped?.account.equals(key)) {
    must(
      dropped.mc_seqno < history.firstSeqno,
      () => `step ${dropped.mc_seqno} of account ${accountName(account)} was not dropped`,
    );
    await settle(account, progress, dropped, cells, true);
    baseSum.add(key, dropped.mc_seqno, dropped.record);
    base.take();
  }
  for (;;) {
    const version = await versions.peek();
    const transaction = await transactions.peek();
    const nextVersion = version?.account.equals(key) ? version : undefined;
    const next = transaction?.account.equals(key) ? transaction : undefined;
    // The transactions of a step come before the version that they made.
    if (next && (!nextVersion || next.mc_seqno <= nextVersion.mc_seqno)) {
      must(progress.seqno === 0 || progress.seqno === next.mc_seqno, () => missingVersion(account, progress.seqno));
      await follow(account, progress, next, cells);
      count(next.mc_seqno);
      transactions.take();
    } else if (nextVersion) {
      await settle(account, progress, nextVersion, cells, nextVersion.mc_seqno === 0);
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

async function follow(account: AccountId, progress: Progress, row: TransactionRow, cells: KeptCells): Promise<void> {
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
    mustEqual(decoded.previous.lt, progress.last.lt, () => `previous lt of ${name()}`);
    mustEqual(decoded.previous.hash, progress.last.hash, () => `previous hash of ${name()}`);
    const { oldHash, newHash } = stateChangeOf(cell);
    mustEqual(oldHash, progress.stateHash, () => `hash of the state before ${name()}`);
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

/** Checks the version that the transactions since the last one left. @param isFirst - Nothing older is there. */
async function settle(
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
  });
}
