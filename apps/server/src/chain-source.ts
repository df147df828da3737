/**
 * The port through which the service sees a chain, in the domain's words. An adapter may answer at once or later: a chain in this
 * machine's memory does the first, light servers of a live network the second. Handlers know nothing else of where data comes from.
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
 * Why a source cannot answer, for the caller to read: nothing behind it is there, or what is there takes too long. Anything else that
 * a source throws is the service's own failure.
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
 * Reads a chain. Every method rejects or throws where the chain cannot be read; `undefined` always means that there is no such
 * thing on the chain.
 *
 * @example
 * ```ts
 * const source: ChainSource = localChainSource("my-chain");
 * const { block } = await source.head();
 * ```
 */
export interface ChainSource {
  /** The newest masterchain block. A later call never answers an older one, in no process that reads the same chain. */
  head(): Awaitable<Head>;
  /** The newest masterchain block that every node behind this source can answer from; at most the head, and never going back. */
  consensus(): Awaitable<BlockHeader>;
  /** The zero state. */
  genesis(): Awaitable<{ readonly block: BlockId }>;
  /** The state as of a masterchain block, by default the head. Undefined where that block lies in the future. */
  account(account: AccountId, asOfSeqno?: number): Awaitable<AccountState | undefined>;
  /** At most so many transactions of an account, newest first. */
  transactions(account: AccountId, range: HistoryRange, limit: number): Awaitable<readonly Transaction[]>;
  /** The block of a shard that a selector names. Undefined past the head and where there is no such shard. */
  block(shard: ShardId, selector: BlockSelector): Awaitable<BlockHeader | undefined>;
  /** The newest committed block of each shard, the masterchain first. */
  shards(): Awaitable<readonly BlockHeader[]>;
  /** The two transactions of a message, as far as they are known. */
  locate(message: MessageKey): Awaitable<MessageTrace>;
  /** Unix seconds; what happened before needs the archive. */
  retainedSince(): Awaitable<number>;
  /** Number of waiting messages above which the network takes none from outside. */
  readonly externalQueueLimit: number;
  /** Frees what the source holds. Nothing is read afterwards. */
  close(): Promise<void>;
}
