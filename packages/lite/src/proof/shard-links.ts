/** Verifies links from a masterchain block to a block of a shard. */
import { readBlockShards } from "@chain-query/format/blocks";
import { type Cell, openMerkleProof } from "@chain-query/format/cells";
import {
  type BlockId,
  intersects,
  isSameBlock,
  isSameShard,
  MASTERCHAIN,
  namedBlock,
  type ShardId,
} from "@chain-query/format/identifiers";
import { lookUpShard } from "@chain-query/format/states";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { openHeader } from "./block.ts";
import { checked, formatBlock, readProof, requireBlock, unproven } from "./evidence.ts";

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
export function checkShardLinks(master: BlockId, links: ShardBlockProof["links"], id: BlockId): void {
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
