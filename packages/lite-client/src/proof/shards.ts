import { readBlockShards } from "@chain-query/format/blocks";
import { type Cell, CellReader, isEqual, openMerkleProof } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { readShardTops, readStateShards, type ShardTop } from "@chain-query/format/states";
import type { LiteAnswer } from "@chain-query/lite-protocol/tl";
import { checked, formatBlock, readData, readProofs, requireBlock, unproven } from "./evidence.ts";
import { openState } from "./state.ts";

/**
 * Checks the shards as of a masterchain block: the newest block of each, by workchain and prefix. The proof has one root, the block;
 * older servers send two, the block's header and the state after it.
 */
export function checkAllShards(at: BlockId, answer: LiteAnswer<"getAllShardsInfo">): readonly ShardTop[] {
  return checked("a proof of shards", () => {
    requireBlock("the block of shards", answer.id, at);
    const expected = openShards(at, readProofs(answer.proof, 2));
    const [data] = readData(answer.data, "shards");
    const shards = data && new CellReader(data).maybeRef();
    const isSame = shards && expected ? isEqual(shards.hash, expected.hashAt(0)) : shards === expected;
    if (!isSame) throw unproven(`the shards of ${formatBlock(at)} are not those of its proof`);
    return readShardTops(shards);
  });
}

/** The root of the dictionary of shards, which the proof need not show itself. */
function openShards(at: BlockId, proofs: readonly Cell[]): Cell | undefined {
  const [first] = proofs;
  // Such a proof does not show the block's header: its root hash names the block.
  if (first && proofs.length === 1 && at.seqno > 0) return readBlockShards(openMerkleProof(first, at.rootHash));
  return readStateShards(openState(at, proofs).state);
}
