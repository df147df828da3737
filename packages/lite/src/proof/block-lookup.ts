import { readBlockShards } from "@chain-query/format/blocks";
import { type Cell, openMerkleProof } from "@chain-query/format/cells";
import {
  type BlockId,
  type BlockRef,
  type BlockSelector,
  containsPrefix,
  intersects,
  isSameBlock,
  isSameShard,
  MASTERCHAIN,
  namedBlock,
  type ShardId,
  shardName,
} from "@chain-query/format/identifiers";
import { lookUpPastBlock, lookUpShard } from "@chain-query/format/states";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { openHeader, openStateHeader, type ProvedBlock, provedBlock } from "./block.ts";
import { checked, formatBlock, readProof, requireBlock, unproven } from "./evidence.ts";

/** Arguments of a look-up. */
export interface LookupQuestion {
  /** A trusted masterchain block. The block that is found is this block, an ancestor of it, or a shard block that one of them commits. */
  readonly at: BlockId;
  /** A shard of the chain, or a smaller one, such as the 60 bits of an account. */
  readonly shard: ShardId;
  readonly selector: BlockSelector;
}

/** A proven result of a look-up. */
interface ProvedLookup {
  readonly block: ProvedBlock;
  /** The block before it in the requested shard. */
  readonly previous: BlockId & BlockRef;
  /**
   * Whether it is the first match. By time, a server may return any block of that second: then check the blocks before it.
   */
  readonly isFirst: boolean;
}

type Answer = LiteAnswer<"lookupBlockWithProof">;

/** Checks that the block of a look-up is on the chain and matches the selector. */
export function checkBlockLookup(question: LookupQuestion, answer: Answer): ProvedLookup {
  return checked("a proof of a look-up", () => {
    checkMaster(question.at, answer);
    checkShardLinks(answer.mcBlockId, answer.shardLinks, answer.id);
    const { header } = openHeader(answer.id, readProof(answer.header));
    const block = provedBlock(answer.id, header);
    if (!containsPrefix(answer.id, question.shard)) {
      throw unproven(`the block must be of the shard of ${shardName(question.shard)}, got ${formatBlock(answer.id)}`);
    }
    const previous = header.readPrevious().find((before) => containsPrefix(before, question.shard));
    if (!previous) throw unproven(`${formatBlock(answer.id)} has no block before it in the shard ${shardName(question.shard)}`);
    const isFirst = checkSelector(question, block, previous, answer);
    return { block, previous, isFirst };
  });
}

/** Checks that the masterchain block of the answer is the trusted one or one of its ancestors. */
function checkMaster(at: BlockId, { mcBlockId, clientMcStateProof, mcBlockProof }: Answer): void {
  if (!isSameShard(mcBlockId, MASTERCHAIN)) {
    throw unproven(`expected a block of the masterchain, got ${formatBlock(mcBlockId)}`);
  }
  if (isSameBlock(mcBlockId, at)) return;
  const { stateRootHash } = openStateHeader(at, readProof(clientMcStateProof));
  const past = lookUpPastBlock(openMerkleProof(readProof(mcBlockProof), stateRootHash), mcBlockId.seqno);
  if (!past) throw unproven(`${formatBlock(mcBlockId)} is not an ancestor of ${formatBlock(at)}`);
  requireBlock("the masterchain block of its number", mcBlockId, past);
}

interface ProvedHistory {
  readonly block: ProvedBlock;
  /** The block of the requested seqno in its history. */
  readonly ancestor: BlockId;
}

/** Checks which masterchain block of a lower seqno the history in the state of a trusted one has. */
export function checkAncestor(at: BlockId, seqno: number, answer: Answer): ProvedHistory {
  return checked("a proof of an ancestor", () => {
    const block = openStateHeader(at, readProof(answer.clientMcStateProof));
    if (answer.id.seqno !== seqno || isSameBlock(answer.id, at)) {
      throw unproven(`the ancestor of ${formatBlock(at)} must have number ${seqno}, got ${formatBlock(answer.id)}`);
    }
    checkMaster(at, answer);
    requireBlock("the ancestor", answer.id, answer.mcBlockId);
    return { block, ancestor: answer.id };
  });
}

/** Checks that the block matches the selector, and returns whether it is the first block of its second. */
function checkSelector(
  { selector }: LookupQuestion,
  block: ProvedBlock,
  previous: BlockId & BlockRef,
  { prevHeader }: Answer,
): boolean {
  if ("seqno" in selector) {
    if (block.id.seqno !== selector.seqno)
      throw unproven(`the block must have number ${selector.seqno}, got ${block.id.seqno}`);
    return true;
  }
  if ("lt" in selector) {
    const { lt } = selector;
    if (block.endLt < lt || previous.endLt >= lt) {
      throw unproven(`the block must be the first up to lt ${lt}, got one from ${previous.endLt} to ${block.endLt}`);
    }
    return true;
  }
  const { time } = selector;
  if (block.time < time) throw unproven(`the block must be of time ${time} or later, got ${block.time}`);
  // A zero state has no header.
  if (previous.seqno === 0) return true;
  const before = openHeader(previous, readProof(prevHeader)).header.time;
  if (before > time) throw unproven(`the block before must be of time ${time} or earlier, got ${before}`);
  return before < time;
}

type ShardBlockProof = LiteAnswer<"getShardBlockProof">;

/** Blocks of a shard between two masterchain blocks. */
const MAX_LINKS = 8;

/**
 * Verifies that a masterchain block commits a block of a shard, also one right before or after a split or a merge. `verifyBlockProof` verifies
 * the masterchain block.
 *
 * @param block - The block with both hashes; one of the masterchain needs no links.
 * @param proof - The answer of a lite server to `getShardBlockProof`.
 * @returns The masterchain block, which the proof itself does not verify.
 * @throws LiteError of kind "proof" if the proof is wrong or leads to another block.
 *
 * @example
 * ```ts
 * import { verifyShardBlockProof } from "@chain-query/lite";
 * import { queries } from "@chain-query/lite/wire";
 *
 * const query = queries.getShardBlockProof({ id: block });
 * const proof = query.read(await connection.query(query.bytes, AbortSignal.timeout(3000)));
 * const masterchainBlock = verifyShardBlockProof(block, proof);
 * ```
 */
export function verifyShardBlockProof(block: BlockId, { masterchainId, links }: ShardBlockProof): BlockId {
  return checked("a proof of a shard block", () => {
    if (!isSameShard(masterchainId, MASTERCHAIN)) {
      throw unproven(`expected a block of the masterchain, got ${formatBlock(masterchainId)}`);
    }
    checkShardLinks(masterchainId, links, block);
    return masterchainId;
  });
}

/** Checks the links from a masterchain block to a block. Each link proves a block that the block before it refers to. */
function checkShardLinks(master: BlockId, links: ShardBlockProof["links"], id: BlockId): void {
  if (links.length > MAX_LINKS) {
    throw unproven(`a chain of blocks must have at most ${MAX_LINKS} links, got ${links.length}`);
  }
  let at = master;
  for (const link of links) {
    if (!intersects(link.id, id)) throw unproven(`the link to ${formatBlock(link.id)} leaves the shard of ${formatBlock(id)}`);
    const proof = readProof(link.proof);
    const named = at.workchain === -1 ? [readTop(at, proof, link.id)] : openHeader(at, proof).header.readPrevious();
    if (!named.some((block) => block && isSameBlock(block, link.id))) {
      throw unproven(`${formatBlock(at)} does not lead to ${formatBlock(link.id)}`);
    }
    at = link.id;
  }
  requireBlock("the last block of the chain", id, at);
}

/** The newest block of the link's shard in the masterchain block. */
function readTop(at: BlockId, proof: Cell, shard: ShardId): BlockId | undefined {
  const top = lookUpShard(readBlockShards(openMerkleProof(proof, at.rootHash)), shard);
  return top && namedBlock(top, top.block);
}
