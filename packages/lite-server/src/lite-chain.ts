import type { Cell } from "@chain-query/format/cells";
import type { BlockId, ShardId } from "@chain-query/format/identifiers";

/** The block that is looked for. */
export type LiteChainSelector = { readonly seqno: number } | { readonly lt: bigint } | { readonly time: number };

/**
 * The chain that a lite server reads: nothing but blocks and states, as cells. Everything else, transactions and proofs, is read from
 * these.
 */
export interface LiteChain {
  /** The newest masterchain block. All blocks that it commits can be read. */
  head(): BlockId;
  /** The zero state of the masterchain: seqno 0, its root hash and its file hash. */
  zeroState(): BlockId;
  /**
   * A block by number, the first whose end lt is at or above a logical time, or the first at or after a time. The shard may be longer
   * than one of the chain, such as the prefix of an account: then the block of the shard that contains it.
   */
  findBlock(shard: ShardId, selector: LiteChainSelector): BlockId | undefined;
  /** The block as a bag of cells; a zero state for seqno 0. Undefined if the chain has no such block. */
  blockData(id: BlockId): Uint8Array | undefined;
  /**
   * The root of the shard's state after the block; of the zero state for seqno 0. The queue of messages may be a pruned branch, so the
   * state's hash is `hashAt(0)`.
   */
  state(id: BlockId): Cell | undefined;
}
