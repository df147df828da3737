import type { Cell } from "../cells/cell.ts";
import type { BlockId } from "../identifiers/types.ts";
import type { BlockRef } from "../state/block-ref.ts";
import type { Currencies } from "../state/currencies.ts";
import type { ProcessedUpto, QueuedMessage } from "../state/message-queue.ts";
import type { ShardAccount } from "../state/shard-account.ts";
import type { ShardDescription } from "../state/shard-description.ts";
import type { ShardState } from "../state/shard-state.ts";
import type { TransactionParts } from "./transaction-parts.ts";

/** A transaction of the block. */
export interface BlockTransaction {
  /** `readTransactionParts` of the executor's cell. */
  readonly transaction: TransactionParts;
  /** The account after it, `readShardAccount` of the executor's cell; undefined where it was deleted or never came to be. */
  readonly account: ShardAccount | undefined;
  /**
   * Where an internal message came from: the entry of this shard's queue or of another's. Absent where a transaction of this block
   * sent it, for an external message, and where the clock started the transaction.
   */
  readonly from?: QueuedMessage;
}

/** A message of this shard's queue that another shard has taken: it leaves the queue with this block. */
export interface DeliveredMessage {
  readonly queued: QueuedMessage;
  /** End lt of the block that took it. */
  readonly importLt: bigint;
}

/** What a block is made from. Whatever the transactions tell (messages, fees, balances, the next state) is derived. */
export interface BlockContent {
  /** The state that the block begins with. */
  readonly before: ShardState;
  /** The block before; the zero state with lt 0 where there is none. */
  readonly previous: BlockRef;
  /** Below every lt in it. */
  readonly startLt: bigint;
  /** Above every lt in it. */
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** 32 bytes: the seed that the block's executions drew from. */
  readonly randomSeed: Uint8Array;
  /** In order of execution; those of one account by rising lt. */
  readonly transactions: readonly BlockTransaction[];
  readonly delivered?: readonly DeliveredMessage[];
  /** Up to where neighbours' queues are processed after this block; as before where absent. */
  readonly processed?: readonly ProcessedUpto[];
  /** Shard blocks: the newest masterchain block that they know. */
  readonly master?: BlockRef;
  /** Masterchain blocks: the shards as this block commits them, see `describeShard`. Shards that stand still keep their old description. */
  readonly shards?: readonly ShardDescription[];
  /** Masterchain blocks: the configuration after this block, where it changes; makes it a key block. */
  readonly config?: Cell;
}

/** What a block does to the value in its shard (TL-B ValueFlow): the sum of what comes in is the sum of what goes out. */
export interface ValueFlow {
  readonly before: Currencies;
  readonly after: Currencies;
  readonly imported: Currencies;
  readonly exported: Currencies;
  readonly feesCollected: Currencies;
  readonly feesImported: Currencies;
  readonly recovered: Currencies;
  readonly created: Currencies;
  readonly minted: Currencies;
}

/** A block, ready to be kept. */
export interface AssembledBlock {
  readonly id: BlockId;
  /** As the next block, or a masterchain block, refers to it. */
  readonly ref: BlockRef;
  readonly startLt: bigint;
  readonly time: number;
  readonly root: Cell;
  /** The bag of cells whose SHA-256 is the file hash. */
  readonly boc: Uint8Array;
  /** The state after it. */
  readonly state: ShardState;
  readonly stateRootHash: Uint8Array;
  readonly valueFlow: ValueFlow;
  /** Messages that this block added to the queue, in order of creation. */
  readonly enqueued: readonly QueuedMessage[];
}
