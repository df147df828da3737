/** Reads a chain from PostgreSQL. All data of a response is as of one head. */

import { isSuspended } from "@chain-query/format/accounts";
import { type Awaitable, setWaitingFor } from "@chain-query/format/async";
import { isEqual } from "@chain-query/format/cells";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import {
  ABSENT_ACCOUNT,
  type AccountId,
  type AccountVersion,
  type BlockId,
  type BlockSelector,
  type BlockSummary,
  ChainReadError,
  type ChainReader,
  configAccount,
  type Head,
  isArchival,
  type MessageKey,
  type ReadAccount,
  type ReadTransaction,
  type ShardId,
  suspendedLists,
  zeroStateHeader,
} from "@chain-query/format/store";
import {
  DroppedHistoryError,
  type IndexedChain,
  type IndexHead,
  type PostgresReader,
  PostgresStoreError,
  UnreadAccountError,
} from "../types.ts";
import type { DatabaseRead, Databases } from "./databases.ts";
import type { ServedHead } from "./served-head.ts";

/** Where an index that begins late reads what it does not have. */
export interface EarlierHistory {
  /** Reads history before the index begins; undefined while there is no such reader. */
  readonly reader: ChainReader | undefined;
  /**
   * The state of an account that has not changed since the index begins.
   *
   * @param at - A block up to which it has not changed.
   */
  account(account: AccountId, error: UnreadAccountError, at: BlockId, signal: AbortSignal): Promise<AccountVersion>;
}

/** Options of {@link postgresChainReader}. */
interface PostgresChainOptions {
  readonly databases: Databases;
  readonly served: ServedHead;
  readonly chain: IndexedChain;
  /** Seconds after which transactions are archival; default: the retention of the chain. */
  readonly retention?: number | undefined;
  /** Lite servers, for what an index that begins late does not have. */
  readonly earlier?: EarlierHistory | undefined;
  /** Closes the databases and the head. */
  readonly close: () => Promise<void>;
}

/** A page of the usual length is one statement. */
const longestRead = 100;

/**
 * A chain in PostgreSQL.
 *
 * @example
 * ```ts
 * const source = postgresChainReader({ databases, served, chain, close: () => databases.close() });
 * ```
 */
export function postgresChainReader({
  databases,
  served,
  chain,
  retention,
  earlier,
  close,
}: PostgresChainOptions): ChainReader {
  const retentionSeconds = retention ?? chain.retentionSeconds;
  const lists = suspendedLists();

  const newest = async (signal: AbortSignal): Promise<IndexHead> => {
    setWaitingFor(signal, "the database of the newest block");
    return served.read();
  };

  /** Reads from the primary and the replicas, as of a head. */
  const readRecent = <Found>(at: number, read: Read<Found>, signal: AbortSignal): Promise<Found> => {
    const named: DatabaseRead<Found> = (reader, database) => {
      signal.throwIfAborted();
      setWaitingFor(signal, `the database "${database}"`);
      return read(reader, at);
    };
    setWaitingFor(signal, "the database");
    return databases.read(at, named);
  };

  /**
   * Reads history that the databases have dropped from archival lite servers.
   *
   * @param readEarlier - Reads from these servers.
   */
  const readAll = async <Found>(
    at: number,
    read: Read<Found>,
    readEarlier: (reader: ChainReader) => Awaitable<Found>,
    signal: AbortSignal,
  ): Promise<Found> => {
    try {
      return await readRecent(at, read, signal);
    } catch (error) {
      if (!(error instanceof DroppedHistoryError) || earlier?.reader === undefined) throw error;
      return await readEarlier(earlier.reader);
    }
  };

  const header = (seqno: number, head: Head, signal: AbortSignal): Promise<BlockSummary> =>
    readRecent(seqno, (reader) => headerOf(reader, seqno, head, signal), signal);

  const headerOf = async (reader: PostgresReader, seqno: number, { block }: Head, signal: AbortSignal) => {
    if (seqno === 0) return zeroStateHeader(chain.masterchain, chain.time);
    if (seqno === block.id.seqno) return block;
    const found = await reader.block(MASTERCHAIN, { seqno }, seqno, signal);
    if (found !== undefined) return found;
    throw new PostgresStoreError("damaged", `the index is damaged: masterchain block ${seqno} is missing`);
  };

  const findBlock = (shard: ShardId, selector: BlockSelector, head: Head, signal: AbortSignal) => {
    const read: Read<BlockSummary | undefined> = (reader, at) => reader.block(shard, selector, at, signal);
    const [[name, value] = []] = Object.entries(selector);
    return readAll(head.block.id.seqno, read, (reader) => reader.block(shard, selector, head, signal), signal).catch(
      missing(`the block of ${name} ${value} is not in this node's history`),
    );
  };

  const located = (message: MessageKey, end: "findSender" | "findReceiver", head: Head, signal: AbortSignal) => {
    const read: Read<ReadTransaction | undefined> = (reader, at) => reader[end](message, at, signal);
    const readEarlier = (reader: ChainReader) => reader[end](message, head, signal);
    return readAll(head.block.id.seqno, read, readEarlier, signal).catch(
      missing(`a message of lt ${message.createdLt} is not in this node's history`),
    );
  };

  /** The state of an account as of a masterchain block, which the head has. */
  const accountAsOf = async (account: AccountId, at: number, head: Head, signal: AbortSignal) => {
    const newest = head.block.id.seqno;
    const readEarlier = async (reader: ChainReader): Promise<AccountState> => {
      const found = await reader.account(account, at, head, signal);
      if (found === undefined) throw new ChainReadError("archival", notInHistory(at));
      return found;
    };
    const read: Read<AccountState> = async (reader) => {
      const block = await headerOf(reader, at, head, signal);
      return { account, ...(await reader.account(account, at, signal)), block };
    };
    try {
      return await readAll(at, read, readEarlier, signal);
    } catch (error) {
      if (error instanceof DroppedHistoryError) throw new ChainReadError("archival", notInHistory(at), { cause: error });
      if (!(error instanceof UnreadAccountError)) throw error;
      const next = await readRecent(newest, (reader) => reader.nextChange(account, at, newest, signal), signal);
      if (next?.isMade) return { account, ...ABSENT_ACCOUNT, block: await header(at, head, signal) };
      if (earlier === undefined) throw new ChainReadError("archival", unread(error), { cause: error });
      // Lite servers keep the states of some hours: the newest one that equals it.
      const until = next === undefined ? newest : next.seqno - 1;
      const [block, same] = await Promise.all([header(at, head, signal), header(until, head, signal)]);
      return { account, ...(await earlier.account(account, error, same.id, signal)), block };
    }
  };

  /** Nothing is known to be suspended while an index that begins late without lite servers does not have the account of the configuration. */
  const suspendedAsOf = async (at: number, head: Head, signal: AbortSignal) => {
    try {
      return lists.get(at) ?? lists.keep(at, (await accountAsOf(configAccount, at, head, signal)).data);
    } catch (error) {
      if (isArchival(error)) return { list: undefined };
      throw error;
    }
  };

  const newestTransactions: ChainReader["newestTransactions"] = async (account, limit, head, archival, signal) => {
    const at = head.block.id.seqno;
    const read = async (reader: PostgresReader, seqno: number) => {
      const transactions = await reader.transactions(account, { aboveLt: 0n }, limit, seqno, signal);
      const [newest] = transactions;
      return newest && { id: newest.id, transactions };
    };
    const readEarlier = (reader: ChainReader) => reader.newestTransactions(account, limit, head, archival, signal);
    try {
      return await (archival ? readAll(at, read, readEarlier, signal) : readRecent(at, read, signal));
    } catch (error) {
      if (!(error instanceof DroppedHistoryError)) throw error;
      const { last } = await accountAsOf(account, at, head, signal);
      // A deleted account has no last transaction.
      if (last.lt === 0n) return undefined;
      throw new ChainReadError("archival", tooOld(last.lt, archival), { cause: error });
    }
  };

  const history: ChainReader["history"] = async (account, range, limit, head, signal) => {
    const { from, aboveLt, archival } = range;
    const at = head.block.id.seqno;
    const read: Read<readonly ReadTransaction[]> = async (reader, seqno) => {
      const rows = await reader.transactions(account, { fromLt: from.lt, aboveLt }, limit, seqno, signal);
      return isStart(rows[0], from) ? rows : [];
    };
    try {
      const readEarlier = (reader: ChainReader) => reader.history(account, range, limit, head, signal);
      return await (archival ? readAll(at, read, readEarlier, signal) : readRecent(at, read, signal));
    } catch (error) {
      if (!(error instanceof DroppedHistoryError)) throw error;
      // Only older history was dropped.
      if (from.lt >= error.endLt) return [];
      throw new ChainReadError("archival", tooOld(from.lt, archival), { cause: error });
    }
  };

  return {
    head: newest,
    known: () => served.known,
    async consensus(signal) {
      setWaitingFor(signal, "the databases of the consensus block");
      return (await served.consensus()).block;
    },
    genesis: () => ({ block: chain.masterchain }),
    async account(account, asOfSeqno, head, signal) {
      const at = asOfSeqno ?? head.block.id.seqno;
      if (at > head.block.id.seqno) return undefined;
      const [state, { list }] = await Promise.all([accountAsOf(account, at, head, signal), suspendedAsOf(at, head, signal)]);
      return { ...state, isSuspended: isSuspended(list, account, state.block.time) };
    },
    newestTransactions,
    history,
    block: findBlock,
    shards: ({ shards = [] }) => shards,
    queues: ({ shards = [] }) => shards,
    findSender: (message, at, signal) => located(message, "findSender", at, signal),
    findReceiver: (message, at, signal) => located(message, "findReceiver", at, signal),
    retainedSince: (at) => at.block.time - retentionSeconds,
    longestRead,
    close,
  };
}

/** The state of an account, before it is known whether the configuration suspends it. */
type AccountState = Omit<ReadAccount, "isSuspended">;

/** Reads as of a masterchain block. */
type Read<Found> = (reader: PostgresReader, at: number) => Promise<Found>;

function isStart(transaction: ReadTransaction | undefined, { lt, hash }: ReadTransaction["id"]): boolean {
  return transaction?.id.lt === lt && isEqual(transaction.id.hash, hash);
}

/** Throws another error for history that was dropped. */
function missing(text: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof DroppedHistoryError ? new ChainReadError("archival", text, { cause: error }) : error;
  };
}

function tooOld(lt: bigint, archival: boolean): string {
  return `lt ${lt} is not in this node's history${archival ? "" : ", use archival=true to reach it"}`;
}

function notInHistory(seqno: number): string {
  return `masterchain block ${seqno} is not in this node's history`;
}

function unread({ firstSeqno }: UnreadAccountError): string {
  return `the account has not changed since masterchain block ${firstSeqno}, and its state before is not in this node's history`;
}
