/**
 * The port through which a chain is read as of its newest block. A reader may answer synchronously, such as one of a chain in a local
 * folder, or asynchronously, such as one of lite servers of a live network.
 */
import type { Awaitable } from "../async.ts";
import { OperationalError } from "../error.ts";
import type { AccountId, BlockId, BlockSelector, ShardId, TransactionId } from "../identifiers.ts";
import type { BlockHeader, ChainAccount, ChainTransaction, MessageKey } from "./domain.ts";

/** The parts of a block that answers contain. */
export type BlockSummary = Pick<BlockHeader, "id" | "endLt" | "time" | "stateRootHash">;

/** The newest masterchain block. */
export interface Head {
  readonly block: BlockSummary;
  /** Transactions from genesis to this block, in all shards; absent if the reader does not count them. */
  readonly transactionCount?: bigint;
  /** As of `ChainReader.queues`; absent if the reader needs another read for them. */
  readonly shards?: readonly ShardQueue[];
}

/** An account as of a masterchain block. An account that never existed is uninitialized and empty. */
export interface ReadAccount extends Omit<ChainAccount, "block"> {
  /** Whether the configuration as of the block suspends it. */
  readonly isSuspended: boolean;
  /** The masterchain block as of which this was read. */
  readonly block: BlockSummary;
}

/** A transaction with the account that it belongs to. */
export type ReadTransaction = Omit<ChainTransaction, "masterchainSeqno">;

/** A shard's newest block with the number of messages in its outbound queue after it; undefined if the reader does not have the number. */
export type ShardQueue = Pick<BlockHeader, "id" | "queueSize">;

/** The newest transactions of an account. */
export interface NewestTransactions {
  readonly id: TransactionId;
  /** From the newest on, at most as many as the limit; absent if the reader needs another read for them. */
  readonly transactions?: readonly ReadTransaction[];
}

/** A part of an account's history. */
export interface HistoryRange {
  /** The first transaction. If the account has none with this logical time and hash, the result is empty. */
  readonly from: TransactionId;
  /** Only transactions above this logical time; 0 leaves out none. */
  readonly aboveLt: bigint;
  /** Whether to ask nodes that keep the whole history, if the reader has any. */
  readonly archival: boolean;
}

/** The HTTP status of each kind of {@link ChainReadError}. */
const STATUSES = { slow: 504, unavailable: 542, archival: 500 } as const;

/**
 * Why a chain cannot be read, in words for anyone: the node behind the reader cannot be reached, takes too long, or no longer has such old
 * history. Any other error that a reader throws may name hosts and folders.
 */
export class ChainReadError extends OperationalError {
  override readonly name = "ChainReadError";
  override readonly isRetryable: boolean;
  override readonly status: number;
  readonly kind: keyof typeof STATUSES;

  constructor(kind: ChainReadError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.isRetryable = kind !== "archival";
    this.status = STATUSES[kind];
  }
}

/** Whether a reader no longer has such old history. */
export function isArchival(error: unknown): boolean {
  return error instanceof ChainReadError && error.kind === "archival";
}

/**
 * Reads a chain as of a head that it has given. Every method throws or rejects if the chain cannot be read; `undefined` always means that
 * the chain has no such thing up to that head. A signal ends a read, which then rejects with the signal's reason; readers that answer
 * synchronously ignore it.
 *
 * @example
 * ```ts
 * const reader: ChainReader = openChain("my-chain"); // of @chain-query/local-chain
 * const head = await reader.head(signal);
 * const first = await reader.block(MASTERCHAIN, { seqno: 1 }, head, signal);
 * ```
 */
export interface ChainReader {
  /** The newest masterchain block: the same object until there is a newer one. Does not go back. */
  head(signal: AbortSignal): Awaitable<Head>;
  /** The newest head so far; undefined before the first. Absent if `head` takes no query. */
  known?(): Head | undefined;
  /** The newest masterchain block that every node behind this reader can answer from; at most the head. Never goes back. */
  consensus(signal: AbortSignal): Awaitable<BlockSummary>;
  /** The zero state. */
  genesis(signal: AbortSignal): Awaitable<{ readonly block: BlockId }>;
  /** The state as of an earlier masterchain block, or as of the head. Undefined if that block is past the head. */
  account(account: AccountId, asOfSeqno: number | undefined, at: Head, signal: AbortSignal): Awaitable<ReadAccount | undefined>;
  /** The newest transactions of an account; undefined if it has none. Throws as `history` does. */
  newestTransactions(
    account: AccountId,
    limit: number,
    at: Head,
    archival: boolean,
    signal: AbortSignal,
  ): Awaitable<NewestTransactions | undefined>;
  /**
   * Transactions of an account, newest first, at most `limit`: fewer only at the end of the range, or where history begins that cannot be
   * read. Throws a {@link ChainReadError} of kind "archival" if that is the first one.
   */
  history(
    account: AccountId,
    range: HistoryRange,
    limit: number,
    at: Head,
    signal: AbortSignal,
  ): Awaitable<readonly ReadTransaction[]>;
  /** The block of a shard that a selector names. Undefined if it is past the head or the shard does not exist. */
  block(shard: ShardId, selector: BlockSelector, at: Head, signal: AbortSignal): Awaitable<BlockSummary | undefined>;
  /** The tip of each shard, the masterchain first. */
  shards(at: Head, signal: AbortSignal): Awaitable<readonly Pick<BlockHeader, "id">[]>;
  /** The queue of each shard, in the same order. */
  queues(at: Head, signal: AbortSignal): Awaitable<readonly ShardQueue[]>;
  /** The transaction that sent a message; undefined if it has not been sent. */
  findSender(message: MessageKey, at: Head, signal: AbortSignal): Awaitable<ReadTransaction | undefined>;
  /** The transaction that received a message; undefined if it has not been received. */
  findReceiver(message: MessageKey, at: Head, signal: AbortSignal): Awaitable<ReadTransaction | undefined>;
  /** Unix seconds; older transactions are read only if the range says `archival`. */
  retainedSince(at: Head): number;
  /** Transactions that one read returns at best; default: 16, as of lite servers. */
  readonly longestRead?: number;
  close(): Promise<void>;
}
