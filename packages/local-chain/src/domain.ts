import type { Cell } from "@chain-query/format/cells";
import type {
  AccountId,
  BlockHeader,
  BlockId,
  BlockSelector,
  ChainAccount,
  ChainHead,
  ChainReader,
  ChainTransaction,
  Head,
  HistoryRange,
  MessageKey,
  ReadAccount,
  ShardId,
  TransactionId,
} from "@chain-query/format/store";
import type { BlockSigners } from "@chain-query/format/validators";

/** A part of an account's history. */
export interface TransactionRange {
  /** The first transaction; default: the newest. If the account has no transaction with this logical time, the result is empty. */
  readonly fromLt?: bigint;
  /** Only transactions above this logical time; default: 0. */
  readonly aboveLt?: bigint;
}

/**
 * Reads a chain by its indexes, without promises. Calls in one event-loop tick see the same head. Numbers out of range find nothing. All
 * methods throw a `ChainStoreError` if the store cannot be read or is closed, and a RangeError for a workchain that is not a signed 32-bit
 * integer.
 */
export interface LocalChain extends ChainReader {
  head(): ChainHead & { readonly shards: readonly BlockHeader[] };
  /** The head's block: all processes read one store, so each of them has every committed block. */
  consensus(): BlockHeader;
  /** The zero state: workchain -1, seqno 0. */
  genesis(): { readonly block: BlockId; readonly time: number };
  account(account: AccountId, asOfSeqno?: number): (ChainAccount & ReadAccount) | undefined;
  newestTransactions(account: AccountId): { readonly id: TransactionId } | undefined;
  history(account: AccountId, range: Omit<HistoryRange, "archival">, limit: number): readonly ChainTransaction[];
  /** Newest first. */
  transactions(account: AccountId, range?: TransactionRange): IterableIterator<ChainTransaction>;
  transaction(account: AccountId, lt: bigint): ChainTransaction | undefined;
  /**
   * A block by seqno, the first whose end lt is at or above a logical time, or the first at or after a time. If the chain does not have the
   * shard, its 64 bits are taken as the begin of an account's address, and the block is of that account's shard. Undefined past the head.
   */
  block(shard: ShardId, selector: BlockSelector): BlockHeader | undefined;
  /** The block as a bag of cells. */
  blockData(id: ShardId & { readonly seqno: number }): Uint8Array | undefined;
  /**
   * The root of a shard's state after a block, or of its zero state for seqno 0. It has all accounts, but after a block a queue that is not
   * empty is a pruned branch. So the block's `stateRootHash` is `hashAt(0)`.
   */
  state(id: ShardId & { readonly seqno: number }): Cell | undefined;
  /** The newest committed block of each shard, the masterchain first, then by shard. */
  shards(): readonly BlockHeader[];
  queues(): readonly BlockHeader[];
  findSender(message: MessageKey): ChainTransaction | undefined;
  findReceiver(message: MessageKey): ChainTransaction | undefined;
  /** The validators of the masterchain block with this seqno, also of a block that does not exist yet. Undefined if the chain has none. */
  signers(seqno: number): BlockSigners | undefined;
  retainedSince(at?: Head): number;
}
