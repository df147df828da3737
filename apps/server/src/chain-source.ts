/**
 * The port through which the service reads a chain, in the terms of the domain. A source may answer synchronously, such as a chain in a
 * local folder, or asynchronously, such as lite servers of a live network. Handlers know of no other way to data.
 */

import { OperationalError } from "@chain-query/format/error";
import type * as chain from "@chain-query/format/store";
import type {
  AccountId,
  BlockHeader,
  BlockId,
  BlockSelector,
  MessageKey,
  ShardId,
  TransactionId,
} from "@chain-query/format/store";
import { HttpError } from "./failure.ts";

/** A value now, or a promise of it. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Continues with a value: at once if it is known, since a promise costs more than most reads. */
export function andThen<Value, Result>(value: Awaitable<Value>, next: (value: Value) => Awaitable<Result>): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The parts of a block that responses contain. */
export type BlockSummary = Pick<BlockHeader, "id" | "endLt" | "time" | "stateRootHash">;

/** The newest masterchain block. */
export interface Head {
  readonly block: BlockSummary;
  /** Transactions from genesis to this block, in all shards; absent if the source does not count them. */
  readonly transactionCount?: bigint;
}

/** An account as of a masterchain block. An account that never existed is uninitialized and empty. */
export interface SourceAccount extends Omit<chain.ChainAccount, "block"> {
  /** Whether the configuration as of the block suspends it. */
  readonly isSuspended: boolean;
  /** The masterchain block as of which this was read. */
  readonly block: BlockSummary;
}

/** A transaction with the account that it belongs to. */
export type SourceTransaction = Omit<chain.ChainTransaction, "masterchainSeqno">;

/** The number of messages in the outbound queue of a shard, after its newest block; undefined if the source does not have it. */
export interface ShardQueue {
  readonly id: BlockId;
  readonly size: number | undefined;
}

/** The newest transactions of an account. */
interface NewestTransactions {
  readonly id: TransactionId;
  /** From the newest on, at most as many as the limit; absent if the source needs another read for them. */
  readonly transactions?: readonly SourceTransaction[];
}

/** A part of an account's history. */
export interface HistoryRange {
  /** The first transaction. If the account has none with this logical time and hash, the result is empty. */
  readonly from: TransactionId;
  /** Only transactions above this logical time; 0 leaves out none. */
  readonly aboveLt: bigint;
  /** Whether to ask nodes that keep the whole history, if the source has any. */
  readonly archival: boolean;
}

/**
 * Why a source cannot answer, in words for the caller: the node behind it cannot be reached, takes too long, or no longer has such old
 * history. Any other error that a source throws is a fault of the service.
 */
export class SourceError extends HttpError {
  override readonly name = "SourceError";
  readonly kind: "unavailable" | "slow" | "archival";

  constructor(kind: SourceError["kind"], message: string, options?: ErrorOptions) {
    super(sourceStatus[kind], message, kind === "archival" ? { ...options, reason: "history_pruned" } : options);
    this.kind = kind;
  }
}

/** Whether a source no longer has such old history. */
export function isArchival(error: unknown): boolean {
  return error instanceof SourceError && error.kind === "archival";
}

const sourceStatus: Readonly<Record<SourceError["kind"], number>> = { slow: 504, unavailable: 542, archival: 500 };

/** The error for the caller of a failed read, by the status of the error. The text of the error may name hosts, folders and databases. */
export function sourceError(error: unknown, words: Readonly<Record<"slow" | "unavailable", string>>): unknown {
  if (!(error instanceof OperationalError) || error instanceof HttpError) return error;
  const kind = ({ 504: "slow", 542: "unavailable" } as const)[error.status];
  return kind === undefined ? error : new SourceError(kind, words[kind], { cause: error });
}

/** A read of a source, for {@link wrapReads}. */
type AnyRead = (...args: unknown[]) => unknown;

/** Methods that do not read. */
const others: ReadonlySet<string> = new Set<keyof ChainSource>(["close"]);

/** The same source with each of its reads wrapped. */
export function wrapReads(source: ChainSource, wrap: (read: AnyRead) => AnyRead): ChainSource {
  const members = Object.entries<unknown>({ ...source });
  const reads = members.filter(
    (member): member is [string, AnyRead] => typeof member[1] === "function" && !others.has(member[0]),
  );
  return { ...source, ...Object.fromEntries(reads.map(([name, read]) => [name, wrap(read)])) };
}

/**
 * Reads a chain. Every method throws or rejects if the chain cannot be read; `undefined` always means that the chain has no such
 * thing. A signal ends a read, which then rejects with the signal's reason; sources that answer synchronously ignore it.
 *
 * @example
 * ```ts
 * const source: ChainSource = localChainSource("my-chain");
 * const { block } = await source.head(AbortSignal.timeout(5_000));
 * ```
 */
export interface ChainSource {
  /** The newest masterchain block. Does not go back. */
  head(signal: AbortSignal): Awaitable<Head>;
  /** The newest masterchain block that every node behind this source can answer from; at most the head. Never goes back. */
  consensus(signal: AbortSignal): Awaitable<BlockSummary>;
  /** The zero state. */
  genesis(signal: AbortSignal): Awaitable<{ readonly block: BlockId }>;
  /** The state as of a masterchain block, or as of the head. Undefined if that block is past the head. */
  account(account: AccountId, asOfSeqno: number | undefined, signal: AbortSignal): Awaitable<SourceAccount | undefined>;
  /** The newest transactions of an account as of a head; undefined if it has none. Throws as `transactions` does. */
  newestTransactions(
    account: AccountId,
    limit: number,
    at: Head,
    archival: boolean,
    signal: AbortSignal,
  ): Awaitable<NewestTransactions | undefined>;
  /**
   * Transactions of an account, newest first, at most `limit`: fewer only at the end of the range, or where history begins that cannot be
   * read. Throws a {@link SourceError} of kind "archival" if that is the first one.
   */
  transactions(
    account: AccountId,
    range: HistoryRange,
    limit: number,
    signal: AbortSignal,
  ): Awaitable<readonly SourceTransaction[]>;
  /** The block of a shard that a selector names. Undefined if it is past the head or the shard does not exist. */
  block(shard: ShardId, selector: BlockSelector, signal: AbortSignal): Awaitable<BlockSummary | undefined>;
  /** The newest committed block of each shard, the masterchain first. */
  shards(signal: AbortSignal): Awaitable<readonly BlockId[]>;
  /** The queue of each shard, in the same order. */
  queues(signal: AbortSignal): Awaitable<readonly ShardQueue[]>;
  /** The transaction that sent a message; undefined if it has not been sent. */
  findSender(message: MessageKey, signal: AbortSignal): Awaitable<SourceTransaction | undefined>;
  /** The transaction that received a message; undefined if it has not been received. */
  findReceiver(message: MessageKey, signal: AbortSignal): Awaitable<SourceTransaction | undefined>;
  /** Unix seconds as of a head, or as of the newest one; older transactions are read only if the range says `archival`. */
  retainedSince(at: Head | undefined, signal: AbortSignal): Awaitable<number>;
  /** The queue size above which the network accepts no external messages. */
  readonly externalQueueLimit: number;
  /** Transactions that one read returns at best; default: 16, as of lite servers. */
  readonly longestRead?: number;
  close(): Promise<void>;
}

/** The head; undefined if the chain cannot be read. */
export async function headIfReadable(source: ChainSource, signal: AbortSignal): Promise<Head | undefined> {
  try {
    return await source.head(signal);
  } catch {
    return undefined;
  }
}
