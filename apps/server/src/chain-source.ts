/**
 * The port through which the service reads a chain, in the terms of the domain. A source may answer synchronously, such as a chain in a
 * local folder, or asynchronously, such as light servers of a live network. Handlers know of no other way to data.
 */
import type {
  AccountId,
  AccountState,
  BlockHeader,
  BlockId,
  BlockSelector,
  Head,
  HistoryRange,
  MessageKey,
  MessageTrace,
  ShardId,
  Transaction,
} from "@chain-query/local-chain";

/** A value now, or a promise of it. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * Why a source cannot answer, in words for the caller: the node behind it cannot be reached, or takes too long. Any other error that a
 * source throws is a fault of the service.
 */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly kind: "unavailable" | "slow";

  constructor(kind: "unavailable" | "slow", message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Reads a chain. Every method throws or rejects if the chain cannot be read; `undefined` always means that the chain has no such
 * thing.
 *
 * @example
 * ```ts
 * const source: ChainSource = localChainSource("my-chain");
 * const { block } = await source.head();
 * ```
 */
export interface ChainSource {
  /** The newest masterchain block. Never goes back between calls, even if different processes read the same chain. */
  head(): Awaitable<Head>;
  /** The newest masterchain block that every node behind this source can answer from; at most the head. Never goes back. */
  consensus(): Awaitable<BlockHeader>;
  /** The zero state. */
  genesis(): Awaitable<{ readonly block: BlockId }>;
  /** The state as of a masterchain block, by default the head. Undefined if that block is past the head. */
  account(account: AccountId, asOfSeqno?: number): Awaitable<AccountState | undefined>;
  /** Transactions of an account, newest first, at most `limit`. */
  transactions(account: AccountId, range: HistoryRange, limit: number): Awaitable<readonly Transaction[]>;
  /** The block of a shard that a selector names. Undefined if it is past the head or the shard does not exist. */
  block(shard: ShardId, selector: BlockSelector): Awaitable<BlockHeader | undefined>;
  /** The newest committed block of each shard, the masterchain first. */
  shards(): Awaitable<readonly BlockHeader[]>;
  /** The transactions that sent and consumed a message, as far as they are known. */
  locate(message: MessageKey): Awaitable<MessageTrace>;
  /** Unix seconds; reading older transactions needs the archive. */
  retainedSince(): Awaitable<number>;
  /** The queue size above which the network accepts no external messages. */
  readonly externalQueueLimit: number;
  close(): Promise<void>;
}

/** The head; undefined if the chain cannot be read. */
export async function headIfReadable(source: ChainSource): Promise<Head | undefined> {
  try {
    return await source.head();
  } catch {
    return undefined;
  }
}
