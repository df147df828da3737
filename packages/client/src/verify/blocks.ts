/** Finds blocks by proofs, from a verified head down. */
import { lookUpTransaction, readBlockHeader, readBlockShards } from "@chain-query/format/blocks";
import { type Cell, isEqual, openMerkleProof } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  type BlockSelector,
  namedBlock,
  type ShardId,
  smallestShard,
  smallestShardAt,
  type TransactionId,
} from "@chain-query/format/identifiers";
import { lookUpPastBlock, lookUpShard, type ShardTop } from "@chain-query/format/states";
import { endsBelow, openHeader, type ProvedStateBlock, previousIn, requireMatch } from "@chain-query/proof/blocks";
import type { Roots } from "./bags.ts";
import { ensure, ProofError } from "./proof-error.ts";

/** The block that was asked for. */
export interface BlockQuestion {
  readonly shard: ShardId;
  readonly selector: BlockSelector;
}

/** Blocks of a shard between two masterchain blocks. */
const MAX_LINKS = 8;

/**
 * The block of a question.
 *
 * @param claimed - Its number in the answer. It decides only how far the links are followed, for a selector by time.
 */
export function findBlock(head: ProvedStateBlock, question: BlockQuestion, claimed: number | undefined, roots: Roots): BlockId {
  const { shard, selector } = question;
  const isMaster = shard.workchain === -1;
  const seqnoOf = (block: Cell) => (isMaster ? readBlockHeader(block).seqno : topOf(block, shard).registeredSeqno);
  const master = openMaster(head, seqnoOf, roots);
  let id = master;
  if (!isMaster) {
    const top = topOf(openMerkleProof(roots.next(), master.rootHash), shard);
    id = namedBlock(top, top.block);
  }
  for (let links = 0; links <= MAX_LINKS; links++) {
    const { header } = openHeader(id, roots.next());
    const previous = previousIn(shard, header.readPrevious());
    const isFound = "lt" in selector ? previous && endsBelow(previous, selector.lt) : id.seqno === claimed;
    if (isFound || isMaster || !previous) {
      const { isFirst } = requireMatch(id, header, question, () => roots.next());
      ensure(isFirst, "block", `block ${id.seqno} is not the first of its time`);
      return id;
    }
    id = previous;
  }
  throw new ProofError("limit", `more than ${MAX_LINKS} links`);
}

/** Checks that a block of the chain has a transaction. */
export function requirePlace(head: ProvedStateBlock, account: AccountId, { lt, hash }: TransactionId, roots: Roots): void {
  const id = findBlock(head, { shard: smallestShard(account), selector: { lt } }, undefined, roots);
  const placed = lookUpTransaction(openMerkleProof(roots.next(), id.rootHash), { account: account.hash, lt });
  ensure(placed && isEqual(placed.hashAt(0), hash), "block", `no such transaction in block ${id.seqno}`);
}

/**
 * The masterchain block of the next root: the head, or one in its history, which comes before.
 *
 * @param seqnoOf - Reads the number of the block, which is not verified yet.
 */
function openMaster(head: ProvedStateBlock, seqnoOf: (block: Cell) => number, roots: Roots): BlockId {
  const isHead = isEqual(roots.peek()?.hashAt(0) ?? new Uint8Array(), head.id.rootHash);
  if (isHead) return head.id;
  const history = openMerkleProof(roots.next(), head.stateRootHash);
  const block = roots.peek();
  const past = block && lookUpPastBlock(history, seqnoOf(block));
  ensure(past, "block", `no such block before ${head.id.seqno}`);
  return past;
}

function topOf(master: Cell, shard: ShardId): ShardTop {
  const top = lookUpShard(readBlockShards(master), smallestShardAt(shard));
  ensure(top, "block", "no such shard");
  return top;
}
