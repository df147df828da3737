/** Blocks, and the states after them, that Merkle proofs show. */
import { type BlockHeader, readBlockHeader, readBlockShards } from "@chain-query/format/blocks";
import { type Cell, openMerkleProof, PrunedCellError } from "@chain-query/format/cells";
import {
  type BlockId,
  type BlockRef,
  type BlockSelector,
  containsPrefix,
  namedBlock,
  type ShardId,
  shardName,
} from "@chain-query/format/identifiers";
import { lookUpShard, readState } from "@chain-query/format/states";
import { formatBlock, UnprovenError } from "./unproven.ts";

/** The proven header of a block. */
export interface ProvedBlock {
  readonly id: BlockId;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** The number of the newest key block up to this one, which sets the configuration; 0 for the zero state. */
  readonly keySeqno: number;
  /** Undefined if the proof does not show it. */
  readonly stateRootHash: Uint8Array | undefined;
  /** The block before it, two after a merge; undefined if the proof does not show them. */
  readonly previous: readonly (BlockId & BlockRef)[] | undefined;
}

/** A block whose proof shows the hash of its state. */
export type ProvedStateBlock = ProvedBlock & { readonly stateRootHash: Uint8Array };

/** The proven part of a block, and its header. */
export interface OpenedBlock {
  readonly root: Cell;
  readonly header: BlockHeader;
}

/** Opens the Merkle proof of a block, and checks that its header is the block's. */
export function openHeader(id: BlockId, proof: Cell): OpenedBlock {
  const root = openMerkleProof(proof, id.rootHash);
  const header = readBlockHeader(root);
  requireOwn("the header of", id, header);
  return { root, header };
}

function requireOwn(what: string, id: BlockId, { workchain, shard, seqno }: ShardId & Pick<BlockId, "seqno">): void {
  if (workchain !== id.workchain || shard !== id.shard || seqno !== id.seqno) {
    throw new UnprovenError(`${what} ${formatBlock(id)} is one of ${formatBlock({ ...id, workchain, shard, seqno })}`);
  }
}

/** The description of a block whose header was checked. */
export function provedBlock(id: BlockId, header: BlockHeader): ProvedBlock {
  const { startLt, endLt, time, isKey, previousKeySeqno } = header;
  const keySeqno = isKey ? id.seqno : previousKeySeqno;
  const stateRootHash = unlessPruned(() => header.readStateHashes().newHash);
  return { id, startLt, endLt, time, keySeqno, stateRootHash, previous: unlessPruned(() => header.readPrevious()) };
}

/** Undefined if a proof does not show the value. */
function unlessPruned<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PrunedCellError) return undefined;
    throw error;
  }
}

/** Opens the proof of a block's header that shows the hash of its state. */
export function openStateHeader(id: BlockId, proof: Cell | undefined): ProvedStateBlock {
  if (!proof) throw new UnprovenError(`the header of ${formatBlock(id)} is missing`);
  return provedStateBlock(id, openHeader(id, proof).header);
}

/** The description of a block whose header was checked, and shows the hash of the state. */
export function provedStateBlock(id: BlockId, header: BlockHeader): ProvedStateBlock {
  const { stateRootHash, ...block } = provedBlock(id, header);
  if (!stateRootHash) throw new UnprovenError(`the header of ${formatBlock(id)} must show the hash of its state`);
  return { ...block, stateRootHash };
}

/**
 * Opens the proofs of a state: the block's header with the hash of the state, then the state. The hash of a zero state is the root hash
 * of block 0 itself, so its proof has one root.
 *
 * @returns The root of the state. Parts that the proof does not show are pruned.
 */
export function openState(id: BlockId, proofs: readonly Cell[]): Cell {
  const expected = id.seqno === 0 ? 1 : 2;
  const stateProof = proofs[expected - 1];
  if (!stateProof) {
    throw new UnprovenError(
      `the proof of the state after ${formatBlock(id)} must have ${expected} roots, got ${proofs.length}`,
    );
  }
  const hash = id.seqno === 0 ? id.rootHash : openStateHeader(id, proofs[0]).stateRootHash;
  const state = openMerkleProof(stateProof, hash);
  const { shard, seqno } = readState(state);
  requireOwn("the state after", id, { ...shard, seqno });
  return state;
}

/**
 * The blocks that a block leads to on the way from the masterchain to a block of a shard: the newest block of the shard as of a
 * masterchain block, the blocks before a block of a shard.
 *
 * @param at - A block that is proved.
 */
export function namedBlocks(at: BlockId, proof: Cell, shard: ShardId): readonly BlockId[] {
  if (at.workchain !== -1) return openHeader(at, proof).header.readPrevious();
  const top = lookUpShard(readBlockShards(openMerkleProof(proof, at.rootHash)), shard);
  return top ? [namedBlock(top, top.block)] : [];
}

/**
 * Of the blocks before a block, of which there are two after a merge, the one in a shard of the chain, or in the place of a smaller one.
 */
export function previousIn<Block extends ShardId>(shard: ShardId, previous: readonly Block[]): Block | undefined {
  return previous.find((before) => containsPrefix(before, shard));
}

/** A block that matches a selector. */
export interface Match {
  /** The block before it in the requested shard. */
  readonly previous: BlockId & BlockRef;
  /** Whether it is the first match: by time, any block of that second is one. */
  readonly isFirst: boolean;
}

/**
 * Checks that a block is of a shard and matches a selector.
 *
 * @param shard - A shard of the chain, or a smaller one, such as the 60 bits of an account.
 * @param readBefore - Gives the proof of the header of the block before. Called only for a selector by time.
 */
export function requireMatch(
  id: BlockId,
  header: BlockHeader,
  { shard, selector }: { readonly shard: ShardId; readonly selector: BlockSelector },
  readBefore: () => Cell,
): Match {
  if (!containsPrefix(id, shard)) {
    throw new UnprovenError(`the block must be of the shard of ${shardName(shard)}, got ${formatBlock(id)}`);
  }
  const previous = previousIn(shard, header.readPrevious());
  if (!previous) {
    throw new UnprovenError(`${formatBlock(id)} has no block before it in the shard ${shardName(shard)}`);
  }
  if (!("time" in selector)) {
    requireNumber(selector, id.seqno, header.endLt, previous);
    return { previous, isFirst: true };
  }
  const { time } = selector;
  if (header.time < time) throw new UnprovenError(`the block must be of time ${time} or later, got ${header.time}`);
  // A zero state has no header.
  if (previous.seqno === 0) return { previous, isFirst: true };
  const before = openHeader(previous, readBefore()).header.time;
  if (before > time) throw new UnprovenError(`the block before must be of time ${time} or earlier, got ${before}`);
  return { previous, isFirst: before < time };
}

/** Whether a block ends below a logical time. A zero state ends below each. */
export function endsBelow({ seqno, endLt }: BlockRef, lt: bigint): boolean {
  return seqno === 0 || endLt < lt;
}

function requireNumber(
  selector: Exclude<BlockSelector, { readonly time: number }>,
  seqno: number,
  endLt: bigint,
  previous: BlockRef,
): void {
  if ("seqno" in selector) {
    if (seqno !== selector.seqno) throw new UnprovenError(`the block must have number ${selector.seqno}, got ${seqno}`);
  } else if (endLt < selector.lt || !endsBelow(previous, selector.lt)) {
    throw new UnprovenError(`the block must be the first up to lt ${selector.lt}, got one from ${previous.endLt} to ${endLt}`);
  }
}
