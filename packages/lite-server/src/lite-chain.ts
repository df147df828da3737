import type { Cell } from "@chain-query/format/cells";
import type { BlockId, ShardId } from "@chain-query/format/identifiers";

/** By number, the first block whose end lt is at or above a logical time, or the first at or after a time. */
export type LiteChainSelector = { readonly seqno: number } | { readonly lt: bigint } | { readonly time: number };

/** The chain that a lite server reads: only blocks and states, from which the server reads transactions and makes proofs. */
export interface LiteChain {
  /** The newest masterchain block. All blocks that it commits can be read. */
  head(): BlockId;
  /** The zero state of the masterchain: seqno 0, its root hash and its file hash. */
  zeroState(): BlockId;
  /**
   * Finds a block. If the shard is smaller than those of the chain, such as the prefix of an account, the block is of the shard that
   * contains it.
   */
  findBlock(shard: ShardId, selector: LiteChainSelector): BlockId | undefined;
  /**
   * The block with this shard and number as a bag of cells; a zero state for seqno 0. Undefined if the chain has no such block. The
   * server compares the hashes.
   */
  blockData(id: BlockId): Uint8Array | undefined;
  /**
   * The root of the shard's state after a block with seqno > 0. The queue of messages may be a pruned branch, so the state's hash is
   * `hashAt(0)`.
   */
  state(id: BlockId): Cell | undefined;
}
