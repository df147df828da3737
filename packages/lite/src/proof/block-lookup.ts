import { openMerkleProof } from "@chain-query/format/cells";
import {
  type BlockId,
  type BlockSelector,
  intersects,
  isSameBlock,
  isSameShard,
  MASTERCHAIN,
  type ShardId,
} from "@chain-query/format/identifiers";
import { lookUpPastBlock } from "@chain-query/format/states";
import {
  type Match,
  namedBlocks,
  openHeader,
  openStateHeader,
  type ProvedBlock,
  provedBlock,
  requireMatch,
} from "@chain-query/proof/blocks";
import { formatBlock, requireBlock, UnprovenError } from "@chain-query/proof/unproven";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { checked, readProof } from "./evidence.ts";

export interface LookupQuestion {
  /** A trusted masterchain block. The block that is found is this block, an ancestor of it, or a shard block that one of them commits. */
  readonly at: BlockId;
  /** A shard of the chain, or a smaller one, such as the 60 bits of an account. */
  readonly shard: ShardId;
  readonly selector: BlockSelector;
}

type Answer = LiteAnswer<"lookupBlockWithProof">;

/** Checks that the block of a look-up is on the chain and matches the selector. By time, a server may return any block of that second. */
export function checkBlockLookup(question: LookupQuestion, answer: Answer): Match & { readonly block: ProvedBlock } {
  return checked("a proof of a look-up", () => {
    checkMaster(question.at, answer);
    checkShardLinks(answer.mcBlockId, answer.shardLinks, answer.id);
    const { header } = openHeader(answer.id, readProof(answer.header));
    const match = requireMatch(answer.id, header, question, () => readProof(answer.prevHeader));
    return { block: provedBlock(answer.id, header), ...match };
  });
}

/** Checks that the masterchain block of the answer is the trusted one or one of its ancestors. */
function checkMaster(at: BlockId, { mcBlockId, clientMcStateProof, mcBlockProof }: Answer): void {
  if (!isSameShard(mcBlockId, MASTERCHAIN)) {
    throw new UnprovenError(`expected a block of the masterchain, got ${formatBlock(mcBlockId)}`);
  }
  if (isSameBlock(mcBlockId, at)) return;
  const { stateRootHash } = openStateHeader(at, readProof(clientMcStateProof));
  const past = lookUpPastBlock(openMerkleProof(readProof(mcBlockProof), stateRootHash), mcBlockId.seqno);
  if (!past) throw new UnprovenError(`${formatBlock(mcBlockId)} is not an ancestor of ${formatBlock(at)}`);
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
      throw new UnprovenError(`the ancestor of ${formatBlock(at)} must have number ${seqno}, got ${formatBlock(answer.id)}`);
    }
    checkMaster(at, answer);
    requireBlock("the ancestor", answer.id, answer.mcBlockId);
    return { block, ancestor: answer.id };
  });
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
      throw new UnprovenError(`expected a block of the masterchain, got ${formatBlock(masterchainId)}`);
    }
    checkShardLinks(masterchainId, links, block);
    return masterchainId;
  });
}

/** Checks the links from a masterchain block to a block. Each link proves a block that the block before it refers to. */
function checkShardLinks(master: BlockId, links: ShardBlockProof["links"], id: BlockId): void {
  if (links.length > MAX_LINKS) {
    throw new UnprovenError(`a chain of blocks must have at most ${MAX_LINKS} links, got ${links.length}`);
  }
  let at = master;
  for (const link of links) {
    if (!intersects(link.id, id))
      throw new UnprovenError(`the link to ${formatBlock(link.id)} leaves the shard of ${formatBlock(id)}`);
    if (!namedBlocks(at, readProof(link.proof), link.id).some((block) => isSameBlock(block, link.id))) {
      throw new UnprovenError(`${formatBlock(at)} does not lead to ${formatBlock(link.id)}`);
    }
    at = link.id;
  }
  requireBlock("the last block of the chain", id, at);
}
