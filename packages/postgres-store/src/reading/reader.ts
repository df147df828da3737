import { NO_ACCOUNT } from "@chain-query/format/accounts";
import { decorate, untilAborted } from "@chain-query/format/async";
import { CellError, isEqual, readBoc } from "@chain-query/format/cells";
import { blockName, containsPrefix, isSameAccount, shardsOfPrefix } from "@chain-query/format/identifiers";
import {
  ABSENT_ACCOUNT,
  type AccountId,
  accountKey,
  type BlockHeader,
  type BlockSelector,
  ChainStoreError,
  type ChainTransaction,
  decodeAccount,
  decodeStoredTransaction,
  headerRecord,
  type ShardId,
  transactionRecord,
} from "@chain-query/format/store";
import { deletesAccount, readTransactionHeader } from "@chain-query/format/transactions";
import { keyOf } from "../api-keys.ts";
import {
  FIND_KEY,
  selectAccount,
  selectAccountWithHistory,
  selectBlockByLt,
  selectBlockBySeqno,
  selectBlockByTime,
  selectNextChange,
  selectReceivers,
  selectSignedFork,
} from "../database/statements.ts";
import {
  DroppedHistoryError,
  type PostgresConnection,
  type PostgresReader,
  PostgresStoreError,
  UnreadAccountError,
} from "../types.ts";
import { Cells } from "./cells.ts";
import { Connection } from "./connection.ts";
import { beginningOf, damaged, mayHaveMessage, PartitionMap, readPage, readWithHistory } from "./history.ts";

/** Logical times are int8 in the database, and seqnos int4. No block or transaction of a chain has larger ones. */
const HIGHEST_LT = 2n ** 63n - 1n;
const HIGHEST_SEQNO = 2 ** 31 - 1;
/** Keys belong to no step. */
const ANY_STEP = -1;
/** Transactions that are read at once to find the receiver of a message: many may have received messages with the same lt. */
const RECEIVERS = 50;
/** One of so many transactions is hashed again: a checksum finds every accident, but not a record that someone made. */
const HASHED = 32;

/**
 * Opens an index for reading. Connects with the first call.
 *
 * @param zeroState - Root hash of the masterchain's zero state that the index must have; default: the chain of the first connection.
 * @throws RangeError if the URL is wrong.
 *
 * @example
 * const reader = openPostgresReader({ url: "postgres://reader@localhost/chain" });
 * const { block } = await reader.head();
 * const newest = await reader.transactions(account, { aboveLt: 0n }, 10, block.id.seqno);
 */
export function openPostgresReader(connection: PostgresConnection, zeroState?: Uint8Array): PostgresReader {
  return readerOf(new Connection("database", connection, zeroState));
}

/** Reads over a connection. */
export function readerOf(reads: Connection): PostgresReader {
  const cells = new Cells(reads);
  const partitions = new PartitionMap(reads);
  const checkNotBefore = beginningOf(reads);
  let count = 0;

  const transactionOf = async (account: AccountId, record: Uint8Array, at: number): Promise<ChainTransaction> => {
    const transaction = await cells.complete(at, (cellOf) => decodeStoredTransaction(account, record, cellOf));
    if (transaction.masterchainSeqno > at) throw damaged(`transaction ${transaction.id.lt}`, "is of another masterchain block");
    if (++count % HASHED === 0) checkHash(transaction);
    return transaction;
  };

  const transactionsOf = async (account: AccountId, records: readonly Uint8Array[], at: number) =>
    Promise.all(records.map((record) => transactionOf(account, record, at)));

  /** Newest first. @throws DroppedHistoryError if all of them may have been dropped. */
  const history = async (
    account: AccountId,
    fromLt: bigint,
    aboveLt: bigint,
    limit: number,
    at: number,
    signal?: AbortSignal,
  ) => {
    if (fromLt > HIGHEST_LT || fromLt <= aboveLt) return [];
    const range = { key: accountKey(account), fromLt, aboveLt, limit };
    return readPage(reads, partitions, range, at, (records) => transactionsOf(account, records, at), signal);
  };

  const transactions: PostgresReader["transactions"] = async (account, { fromLt, aboveLt }, limit, at, signal) => {
    const found = await history(account, fromLt ?? HIGHEST_LT, aboveLt, limit, at, signal);
    const isDeleted = fromLt === undefined && found[0] !== undefined && deletesAccount(readBoc(found[0].data));
    return isDeleted ? [] : found;
  };

  /** The newest transaction below the time at which the message was created: its messages follow it without a gap. */
  const findSender: PostgresReader["findSender"] = async (message, at, signal) => {
    const { source, destination, createdLt } = message;
    const [found] = await history(source, createdLt - 1n, -1n, 1, at, signal).catch((error: unknown) => {
      if (error instanceof DroppedHistoryError && !mayHaveMessage(error, createdLt)) return [];
      throw error;
    });
    const sent = found?.outMessages.find((one) => one.createdLt === createdLt);
    return isBetween(sent, source, destination) ? found : undefined;
  };

  /** Reads the partition in which the message was sent, then all above it, which may have the receiver although the first was dropped. */
  const findReceiver: PostgresReader["findReceiver"] = async ({ source, destination, createdLt }, at, signal) => {
    if (createdLt > HIGHEST_LT) return undefined;
    const { first, last } = await partitions.around(createdLt, at);
    const ranges = last === at ? [[first, at] as const] : [[first, last] as const, [last + 1, at] as const];
    let dropped: DroppedHistoryError | undefined;
    for (const [from, to] of ranges) {
      for (let aboveLt = -1n; ; ) {
        const parameters = [accountKey(destination), createdLt, from, to, aboveLt, RECEIVERS];
        const rows = await readWithHistory(reads, selectReceivers, parameters, at, signal);
        const found = await transactionsOf(destination, rows.records, at);
        const receiver = found.find(({ inMessage }) => isBetween(inMessage, source, destination));
        if (receiver !== undefined) return receiver;
        if (rows.dropped !== undefined && mayHaveMessage(rows.dropped, createdLt)) dropped = rows.dropped;
        const end = found.at(-1);
        if (end === undefined || found.length < RECEIVERS) break;
        aboveLt = end.id.lt;
      }
    }
    if (dropped !== undefined) throw dropped;
    return undefined;
  };

  const account: PostgresReader["account"] = async (id, at, signal) => {
    const key = accountKey(id);
    let [record] = await reads.records(selectAccount, [key, at], at, signal);
    if (record === undefined) {
      const rows = await readWithHistory(reads, selectAccountWithHistory, [key, at], at, signal);
      if (at < rows.firstSeqno) throw rows.dropped ?? new DroppedHistoryError(rows.firstSeqno, rows.endLt);
      [record] = rows.records;
      if (record === undefined && rows.isUnread) throw new UnreadAccountError(rows.firstSeqno);
    }
    return record ? cells.complete(at, (cellOf) => decodeAccount(id, record, cellOf)) : ABSENT_ACCOUNT;
  };

  return guarded({
    chain: () => reads.chain(),
    head: () => reads.readHead(),
    account,
    nextChange: async (id, from, to, signal) => {
      const [[seqno, record] = []] = await reads.rows(selectNextChange, [accountKey(id), from, to], to, signal);
      if (typeof seqno !== "number" || typeof record !== "string") return undefined;
      const { data } = transactionRecord.decode(Buffer.from(record, "base64"));
      return { seqno, isMade: isEqual(readTransactionHeader(readBoc(data)).oldStateHash, NO_ACCOUNT.hash) };
    },
    transactions,
    block: async (shard, selector, at, signal) => {
      const found = blockStatement(selector);
      if (found === undefined) return undefined;
      await checkNotBefore(shard, selector, at);
      const [statement, value] = found;
      const shards = `{${shardsOfPrefix(shard).map(({ shard: id }) => id)}}`;
      const [record] = await reads.records(statement, [shard.workchain, shards, value, at], at, signal);
      return record && checkedHeader(headerRecord.decode(record), shard, selector, at);
    },
    findSender,
    findReceiver,
    async signedFork(signal) {
      const [[record] = []] = await reads.rows(selectSignedFork, [], ANY_STEP, signal);
      return record === undefined ? undefined : String(record);
    },
    async findKey(id, signal) {
      const [row] = await reads.rows(FIND_KEY, [id], ANY_STEP, signal);
      return row && keyOf(row);
    },
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
  const isAsked = containsPrefix(id, shard) && masterchainSeqno <= at;
  if (isAsked && (!("seqno" in selector) || id.seqno === selector.seqno)) return header;
  throw damaged(`block ${blockName({ ...shard, seqno: id.seqno })}`, "is another block");
}

function checkHash({ id, data }: ChainTransaction): void {
  if (!isEqual(readBoc(data).hash, id.hash)) throw damaged(`transaction ${id.lt}`, "has another hash");
}

function isBetween(message: ChainTransaction["inMessage"], source: AccountId, destination: AccountId): boolean {
  return isSameAccount(message?.source, source) && isSameAccount(message?.destination, destination);
}

/** Aborts reads with their signals, and turns errors of records into store errors. */
function guarded(reader: PostgresReader): PostgresReader {
  return decorate(reader, async (read, args) => {
    const signal = args.at(-1);
    try {
      const result = Promise.resolve(read(...args));
      return await (signal instanceof AbortSignal ? untilAborted(result, signal) : result);
    } catch (error) {
      if (!(error instanceof ChainStoreError || error instanceof CellError || error instanceof RangeError)) throw error;
      throw new PostgresStoreError("damaged", error.message, { cause: error });
    }
  });
}
