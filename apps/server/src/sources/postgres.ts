/** Reads a chain from PostgreSQL. All data of a response is as of one head. */

import { isSuspended } from "@chain-query/format/accounts";
import { untilAborted } from "@chain-query/format/async";
import { isEqual } from "@chain-query/format/cells";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { EXTERNAL_QUEUE_LIMIT } from "@chain-query/format/states";
import {
  ABSENT_ACCOUNT,
  type AccountId,
  type BlockHeader,
  type BlockSelector,
  type MessageKey,
  type ShardId,
  zeroStateHeader,
} from "@chain-query/format/store";
import {
  type DatabaseRead,
  type Databases,
  DroppedHistoryError,
  type IndexedChain,
  type IndexHead,
  type PostgresReader,
  PostgresStoreError,
  UnreadAccountError,
} from "@chain-query/postgres-store";
import {
  type Awaitable,
  type BlockSummary,
  type ChainSource,
  type Head,
  type HistoryRange,
  isArchival,
  type ShardQueue,
  type SourceAccount,
  SourceError,
  type SourceTransaction,
  sourceError,
  wrapReads,
} from "../chain-source.ts";
import { setWaitingFor, slowPart } from "../deadline.ts";
import type { EarlierHistory } from "./earlier-history.ts";
import type { ServedHead } from "./served-head.ts";
import { configAccount, suspendedLists } from "./suspended.ts";

/** Options of {@link postgresSource}. */
interface PostgresSourceOptions {
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

/** The results as of one head. */
interface Snapshot extends Head {
  readonly block: BlockHeader;
  readonly queues: readonly ShardQueue[];
}

/**
 * A chain in PostgreSQL. Data found as of an earlier head never changes, so only reads of the head, and of data that was not found, wait for
 * the newest head.
 *
 * @example
 * ```ts
 * const source = postgresSource({ databases, served, chain, close: () => databases.close() });
 * ```
 */
export function postgresSource({ databases, served, chain, retention, earlier, close }: PostgresSourceOptions): ChainSource {
  const retentionSeconds = retention ?? chain.retentionSeconds;
  const snapshots = new WeakMap<IndexHead, Snapshot>();
  const lists = suspendedLists();

  const snapshotOf = (head: IndexHead): Snapshot => {
    const known = snapshots.get(head);
    if (known !== undefined) return known;
    const { block, transactionCount, shards } = head;
    const made = { block, transactionCount, queues: shards.map(({ id, queueSize }) => ({ id, size: queueSize })) };
    snapshots.set(head, made);
    return made;
  };

  const newest = async (signal: AbortSignal): Promise<Snapshot> => {
    setWaitingFor(signal, "the database of the newest block");
    return snapshotOf((await served.read()).tip);
  };

  /** The last known head; reads one only if none is known. */
  const known = async (signal: AbortSignal): Promise<Snapshot> => (served.known ? snapshotOf(served.known) : newest(signal));

  /** Finds immutable data: as of the known head, and if absent there, as of the newest one. */
  const find = async <Found>(
    look: (at: Snapshot) => Promise<Found | undefined>,
    signal: AbortSignal,
  ): Promise<Found | undefined> => {
    const before = await known(signal);
    const found = await look(before);
    if (found !== undefined) return found;
    const head = await newest(signal);
    return head === before ? undefined : look(head);
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
    readEarlier: (source: ChainSource) => Awaitable<Found>,
    signal: AbortSignal,
  ): Promise<Found> => {
    try {
      return await readRecent(at, read, signal);
    } catch (error) {
      if (!(error instanceof DroppedHistoryError) || earlier?.source === undefined) throw error;
      return await readEarlier(earlier.source);
    }
  };

  const header = (seqno: number, head: Snapshot, signal: AbortSignal): Promise<BlockHeader> =>
    readRecent(seqno, (reader) => headerOf(reader, seqno, head, signal), signal);

  const headerOf = async (reader: PostgresReader, seqno: number, { block }: Snapshot, signal: AbortSignal) => {
    if (seqno === 0) return zeroStateHeader(chain.masterchain, chain.time);
    if (seqno === block.id.seqno) return block;
    const found = await reader.block(MASTERCHAIN, { seqno }, seqno, signal);
    if (found !== undefined) return found;
    throw new PostgresStoreError("damaged", `the index is damaged: masterchain block ${seqno} is missing`);
  };

  const findBlock = (shard: ShardId, selector: BlockSelector, { block }: Snapshot, signal: AbortSignal) => {
    const read: Read<BlockSummary | undefined> = (reader, at) => reader.block(shard, selector, at, signal);
    const [[name, value] = []] = Object.entries(selector);
    return readAll(block.id.seqno, read, (source) => source.block(shard, selector, signal), signal).catch(
      missing(`the block of ${name} ${value} is not in this node's history`),
    );
  };

  const located = (message: MessageKey, end: "findSender" | "findReceiver", signal: AbortSignal) => {
    const read: Read<SourceTransaction | undefined> = (reader, at) => reader[end](message, at, signal);
    const readEarlier = (source: ChainSource) => source[end](message, signal);
    return find(({ block }) => readAll(block.id.seqno, read, readEarlier, signal), signal).catch(
      missing(`a message of lt ${message.createdLt} is not in this node's history`),
    );
  };

  /** The state of an account as of a masterchain block, which the head has. */
  const accountAsOf = async (account: AccountId, at: number, head: Snapshot, signal: AbortSignal) => {
    const newest = head.block.id.seqno;
    const readEarlier = async (source: ChainSource): Promise<AccountState> => {
      const found = await source.account(account, at, signal);
      if (found === undefined) throw new SourceError("archival", notInHistory(at));
      return found;
    };
    const read: Read<AccountState> = async (reader) => {
      const block = await headerOf(reader, at, head, signal);
      return { account, ...(await reader.account(account, at, signal)), block };
    };
    try {
      return await readAll(at, read, readEarlier, signal);
    } catch (error) {
      if (error instanceof DroppedHistoryError) throw new SourceError("archival", notInHistory(at), { cause: error });
      if (!(error instanceof UnreadAccountError)) throw error;
      const next = await readRecent(newest, (reader) => reader.nextChange(account, at, newest, signal), signal);
      if (next?.isMade) return { account, ...ABSENT_ACCOUNT, block: await header(at, head, signal) };
      if (earlier === undefined) throw new SourceError("archival", unread(error), { cause: error });
      // Lite servers keep the states of some hours: the newest one that equals it.
      const until = next === undefined ? newest : next.seqno - 1;
      const [block, same] = await Promise.all([header(at, head, signal), header(until, head, signal)]);
      return { account, ...(await earlier.account(account, error, same.id, signal)), block };
    }
  };

  /** Nothing is known to be suspended while an index that begins late without lite servers does not have the account of the configuration. */
  const suspendedAsOf = async (at: number, head: Snapshot, signal: AbortSignal) => {
    try {
      return lists.get(at) ?? lists.keep(at, (await accountAsOf(configAccount, at, head, signal)).data);
    } catch (error) {
      if (isArchival(error)) return { list: undefined };
      throw error;
    }
  };

  const newestTransactions: ChainSource["newestTransactions"] = async (account, limit, head, archival, signal) => {
    const at = head.block.id.seqno;
    const read = async (reader: PostgresReader, seqno: number) => {
      const transactions = await reader.transactions(account, { aboveLt: 0n }, limit, seqno, signal);
      const [newest] = transactions;
      return newest && { id: newest.id, transactions };
    };
    const readEarlier = (source: ChainSource) => source.newestTransactions(account, limit, head, archival, signal);
    try {
      return await (archival ? readAll(at, read, readEarlier, signal) : readRecent(at, read, signal));
    } catch (error) {
      if (!(error instanceof DroppedHistoryError)) throw error;
      const { last } = await accountAsOf(account, at, await known(signal), signal);
      // A deleted account has no last transaction.
      if (last.lt === 0n) return undefined;
      throw new SourceError("archival", tooOld(last.lt, archival), { cause: error });
    }
  };

  const history = async (account: AccountId, range: HistoryRange, limit: number, at: number, signal: AbortSignal) => {
    const { from, aboveLt, archival } = range;
    const read: Read<readonly SourceTransaction[] | undefined> = async (reader, seqno) => {
      const rows = await reader.transactions(account, { fromLt: from.lt, aboveLt }, limit, seqno, signal);
      return isStart(rows[0], from) ? rows : undefined;
    };
    try {
      const readEarlier = (source: ChainSource) => source.transactions(account, range, limit, signal);
      return await (archival ? readAll(at, read, readEarlier, signal) : readRecent(at, read, signal));
    } catch (error) {
      if (!(error instanceof DroppedHistoryError)) throw error;
      // Only older history was dropped.
      if (from.lt >= error.endLt) return undefined;
      throw new SourceError("archival", tooOld(from.lt, archival), { cause: error });
    }
  };

  return withCallerErrors({
    head: newest,
    async consensus(signal) {
      setWaitingFor(signal, "the database of the newest block");
      return (await served.read()).consensus.block;
    },
    genesis: () => ({ block: chain.masterchain }),
    async account(account, asOfSeqno, signal) {
      let head = await (asOfSeqno === undefined ? newest : known)(signal);
      if (asOfSeqno !== undefined && asOfSeqno > head.block.id.seqno) head = await newest(signal);
      const at = asOfSeqno ?? head.block.id.seqno;
      if (at > head.block.id.seqno) return undefined;
      const [state, { list }] = await Promise.all([accountAsOf(account, at, head, signal), suspendedAsOf(at, head, signal)]);
      return { ...state, isSuspended: isSuspended(list, account, state.block.time) };
    },
    newestTransactions,
    transactions: async (account, range, limit, signal) =>
      (await find(({ block: { id } }) => history(account, range, limit, id.seqno, signal), signal)) ?? [],
    block: (shard, selector, signal) => find((head) => findBlock(shard, selector, head, signal), signal),
    shards: async (signal) => (await newest(signal)).queues.map(({ id }) => id),
    queues: async (signal) => (await newest(signal)).queues,
    findSender: (message, signal) => located(message, "findSender", signal),
    findReceiver: (message, signal) => located(message, "findReceiver", signal),
    retainedSince: async (at, signal) => (at ?? (await known(signal))).block.time - retentionSeconds,
    externalQueueLimit: EXTERNAL_QUEUE_LIMIT,
    longestRead,
    close,
  });
}

/** The state of an account, before it is known whether the configuration suspends it. */
type AccountState = Omit<SourceAccount, "isSuspended">;

/** Reads as of a masterchain block. */
type Read<Found> = (reader: PostgresReader, at: number) => Promise<Found>;

function isStart(transaction: SourceTransaction | undefined, { lt, hash }: SourceTransaction["id"]): boolean {
  return transaction?.id.lt === lt && isEqual(transaction.id.hash, hash);
}

/** Throws another error for history that was dropped. */
function missing(text: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof DroppedHistoryError ? new SourceError("archival", text, { cause: error }) : error;
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

/** Aborts reads with their signals, and turns store errors into errors for the caller. A damaged record stays an internal error. */
function withCallerErrors(source: ChainSource): ChainSource {
  return wrapReads(source, (read) => async (...args) => {
    const signal = args.at(-1);
    try {
      return await (signal instanceof AbortSignal ? untilAborted(Promise.resolve(read(...args)), signal) : read(...args));
    } catch (error) {
      const part = signal instanceof AbortSignal ? slowPart(signal) : "the database";
      throw sourceError(error, {
        slow: isBehind(error)
          ? "the databases of this service do not have the newest block yet"
          : `${part} did not answer in time`,
        unavailable: "the database of this service cannot be read",
      });
    }
  });
}

function isBehind(error: unknown): boolean {
  return error instanceof PostgresStoreError && error.kind === "behind";
}
