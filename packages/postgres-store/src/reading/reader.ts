import {
  ABSENT_ACCOUNT,
  type AccountId,
  accountKey,
  type BlockHeader,
  type BlockSelector,
  ChainStoreError,
  decodeAccount,
  decodeStoredTransaction,
  headerRecord,
  type MessageKey,
  type ShardId,
  type Transaction,
} from "@chain-query/chain-store";
import { CellError, readBoc } from "@chain-query/format/cells";
import { deletesAccount } from "@chain-query/format/transactions";
import { DroppedHistoryError, type PostgresConnection, type PostgresReader, PostgresStoreError } from "../types.ts";
import { Cells } from "./cells.ts";
import { PartitionMap } from "./partition-map.ts";
import {
  selectAccount,
  selectAccountWithHistory,
  selectBlockByLt,
  selectBlockBySeqno,
  selectBlockByTime,
  selectReceivers,
  selectTransactions,
  selectTransactionsWithHistory,
} from "./read-statements.ts";
import { Reads } from "./reads.ts";
import { readWithHistory, unlessLater } from "./with-history.ts";

/** Logical times are int8 in the database, and seqnos int4. No block or transaction of a chain has larger ones. */
const HIGHEST_LT = 2n ** 63n - 1n;
const HIGHEST_SEQNO = 2 ** 31 - 1;
/** Transactions that are read at once to find the one that received a message: many may have received one with the same lt. */
const RECEIVERS = 50;
/** One of so many transactions is hashed again: a checksum finds every accident, but not a record that someone made. */
const HASHED = 32;

/**
 * Opens an index for reading. Connects with the first call.
 *
 * @param zeroState - Root hash of the masterchain's zero state that the index must have; default: that of the first connection.
 * @throws RangeError if the URL is wrong.
 *
 * @example
 * const reader = openPostgresReader({ url: "postgres://reader@localhost/chain" });
 * const { block } = await reader.head();
 * const newest = await reader.transactions(account, { aboveLt: 0n }, 10, block.id.seqno);
 */
export function openPostgresReader(connection: PostgresConnection, zeroState?: Uint8Array): PostgresReader {
  const reads = new Reads(connection, zeroState);
  const cells = new Cells(reads);
  const partitions = new PartitionMap(reads);
  let count = 0;

  const transactionOf = async (account: AccountId, record: Uint8Array, at: number): Promise<Transaction> => {
    const transaction = await cells.complete(at, (cellOf) => decodeStoredTransaction(account, record, cellOf));
    if (transaction.masterchainSeqno > at) throw damaged(`transaction ${transaction.id.lt}`, "is of another masterchain block");
    if (++count % HASHED === 0) checkHash(transaction);
    return transaction;
  };

  const transactionsOf = async (account: AccountId, records: readonly Uint8Array[], at: number) =>
    Promise.all(records.map((record) => transactionOf(account, record, at)));

  /** Newest first. @throws DroppedHistoryError if all of them may have been dropped. */
  const history = async (account: AccountId, fromLt: bigint, aboveLt: bigint, limit: number, at: number) => {
    if (fromLt > HIGHEST_LT || fromLt <= aboveLt) return [];
    const isWhole = (found: readonly Transaction[]): boolean => {
      const end = found.at(-1)?.previous.lt;
      return found.length === limit || end === 0n || (end !== undefined && end <= aboveLt);
    };
    const parameters = (first: number, last: number) => [accountKey(account), fromLt, aboveLt, first, last, limit];
    const { first, last } = await partitions.around(fromLt, at);
    const records = await reads.records(selectTransactions, parameters(first, last), at);
    const near = linked(await transactionsOf(account, records, at), fromLt, aboveLt);
    if (isWhole(near) && (last === at || near[0]?.id.lt === fromLt)) return near;
    const rows = await readWithHistory(reads, selectTransactionsWithHistory, parameters(0, at), at);
    const all = linked(await transactionsOf(account, rows.records, at), fromLt, aboveLt);
    if (isWhole(all)) return all;
    if (rows.dropped !== undefined && all.length === 0) throw rows.dropped;
    const end = all.at(-1);
    if (rows.dropped === undefined && end !== undefined) throw damaged(`transaction ${end.previous.lt}`, "is missing");
    return all;
  };

  const transactions: PostgresReader["transactions"] = async (account, { fromLt, aboveLt }, limit, at) => {
    const found = await history(account, fromLt ?? HIGHEST_LT, aboveLt, limit, at);
    const isDeleted = fromLt === undefined && found[0] !== undefined && deletesAccount(readBoc(found[0].data));
    return isDeleted ? [] : found;
  };

  /** The newest transaction below the time at which the message was created: its messages follow it without a gap. */
  const findSender = async (message: MessageKey, at: number): Promise<Transaction | undefined> => {
    const { source, destination, createdLt } = message;
    const [found] = await history(source, createdLt - 1n, -1n, 1, at).catch(unlessLater(createdLt));
    const sent = found?.outMessages.find((one) => one.createdLt === createdLt);
    return isBetween(sent, source, destination) ? found : undefined;
  };

  /** In the partition in which the message was sent, then in those above it. */
  const findReceiver = async ({ source, destination, createdLt }: MessageKey, at: number): Promise<Transaction | undefined> => {
    if (createdLt > HIGHEST_LT) return undefined;
    const { first, last } = await partitions.around(createdLt, at);
    const ranges = last === at ? [[first, at] as const] : [[first, last] as const, [last + 1, at] as const];
    for (const [from, to] of ranges) {
      for (let aboveLt = -1n; ; ) {
        const parameters = [accountKey(destination), createdLt, from, to, aboveLt, RECEIVERS];
        const { records, dropped } = await readWithHistory(reads, selectReceivers, parameters, at);
        const found = await transactionsOf(destination, records, at);
        const receiver = found.find(({ inMessage }) => isBetween(inMessage, source, destination));
        if (receiver !== undefined) return receiver;
        if (dropped !== undefined) unlessLater(createdLt)(dropped);
        const end = found.at(-1);
        if (end === undefined || found.length < RECEIVERS) break;
        aboveLt = end.id.lt;
      }
    }
    return undefined;
  };

  const account: PostgresReader["account"] = async (id, at) => {
    const key = accountKey(id);
    let [record] = await reads.records(selectAccount, [key, at], at);
    if (record === undefined) {
      const rows = await readWithHistory(reads, selectAccountWithHistory, [key, at], at);
      if (at < rows.firstSeqno) throw rows.dropped ?? new DroppedHistoryError(rows.firstSeqno, rows.endLt);
      [record] = rows.records;
    }
    return record ? cells.complete(at, (cellOf) => decodeAccount(id, record, cellOf)) : ABSENT_ACCOUNT;
  };

  return guarded({
    chain: () => reads.chain(),
    head: () => reads.head(),
    account,
    transactions,
    block: async (shard, selector, at) => {
      const found = blockStatement(selector);
      if (found === undefined) return undefined;
      const [statement, value] = found;
      const [record] = await reads.records(statement, [shard.workchain, shard.shard, value, at], at);
      return record && checkedHeader(headerRecord.decode(record), shard, selector, at);
    },
    findSender,
    findReceiver,
    close: () => reads.close(),
  });
}

function blockStatement(selector: BlockSelector): readonly [statement: string, value: number | bigint] | undefined {
  if ("lt" in selector) return selector.lt > HIGHEST_LT ? undefined : [selectBlockByLt, selector.lt];
  if ("time" in selector) return [selectBlockByTime, selector.time];
  return selector.seqno < 1 || selector.seqno > HIGHEST_SEQNO ? undefined : [selectBlockBySeqno, selector.seqno];
}

function checkedHeader(header: BlockHeader, shard: ShardId, selector: BlockSelector, at: number): BlockHeader {
  const { id, masterchainSeqno } = header;
  const isSame = id.workchain === shard.workchain && id.shard === shard.shard && masterchainSeqno <= at;
  if (isSame && (!("seqno" in selector) || id.seqno === selector.seqno)) return header;
  throw damaged(`block ${shard.workchain}:${shard.shard}:${id.seqno}`, "is another block");
}

/**
 * Each transaction names the one before it, so a row that is missing or was changed breaks the chain. The first one of an account that
 * was deleted and made again names none.
 */
function linked(found: readonly Transaction[], fromLt: bigint, aboveLt: bigint): readonly Transaction[] {
  for (const [index, { id, previous }] of found.entries()) {
    if (id.lt > fromLt || id.lt <= aboveLt) throw damaged(`transaction ${id.lt}`, "has another logical time");
    const next = found[index + 1]?.id;
    if (previous.lt === 0n) return found.slice(0, index + 1);
    if (next !== undefined && (next.lt !== previous.lt || Buffer.compare(next.hash, previous.hash) !== 0))
      throw damaged(`transaction ${previous.lt}`, "is not the one that its next one names");
  }
  return found;
}

function checkHash({ id, data }: Transaction): void {
  if (Buffer.compare(readBoc(data).hash, id.hash) !== 0) throw damaged(`transaction ${id.lt}`, "has another hash");
}

function isBetween(message: Transaction["inMessage"], source: AccountId, destination: AccountId): boolean {
  return isSame(message?.source, source) && isSame(message?.destination, destination);
}

function isSame(one: AccountId | undefined, other: AccountId): boolean {
  return one?.workchain === other.workchain && Buffer.compare(one.hash, other.hash) === 0;
}

function damaged(what: string, problem: string): PostgresStoreError {
  return new PostgresStoreError("damaged", `the index is damaged: ${what} ${problem}`);
}

/** Turns the errors of records into those of the store. */
function guarded(reader: PostgresReader): PostgresReader {
  const guard =
    <Args extends unknown[], Result>(read: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await read(...args);
      } catch (error) {
        if (!(error instanceof ChainStoreError || error instanceof CellError || error instanceof RangeError)) throw error;
        throw new PostgresStoreError("damaged", error.message, { cause: error });
      }
    };
  return {
    chain: guard(reader.chain),
    head: guard(reader.head),
    account: guard(reader.account),
    transactions: guard(reader.transactions),
    block: guard(reader.block),
    findSender: guard(reader.findSender),
    findReceiver: guard(reader.findReceiver),
    close: reader.close,
  };
}
