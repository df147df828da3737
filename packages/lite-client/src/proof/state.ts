import { type Cell, hex, isEqual, openMerkleProof, sha256 } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { readState } from "@chain-query/format/states";
import type { LiteAnswer } from "@chain-query/lite-protocol/tl";
import { checked, formatBlock, readData, requireBlock, unproven } from "./evidence.ts";
import { openHeader, type ProvedBlock, provedBlock } from "./header.ts";

/** The proven part of the state after a block. */
export interface OpenedState {
  /** The root of the state, from which all is pruned that the proof does not show. */
  readonly state: Cell;
  /** The block with the hash of this state; undefined for a zero state, which has no block. */
  readonly block: ProvedBlock | undefined;
}

/**
 * Opens the proofs of a state: the block's header, which names the hash of the state, then the state. A zero state is named by the
 * root hash of block 0 itself, so that its proof has one root.
 */
export function openState(id: BlockId, proofs: readonly Cell[]): OpenedState {
  const expected = id.seqno === 0 ? 1 : 2;
  const stateProof = proofs[expected - 1];
  if (!stateProof) {
    throw unproven(`the proof of the state after ${formatBlock(id)} must have ${expected} roots, got ${proofs.length}`);
  }
  const block = id.seqno === 0 ? undefined : openStateHeader(id, proofs[0]);
  const state = openMerkleProof(stateProof, block?.stateRootHash ?? id.rootHash);
  const { shard, seqno } = readState(state);
  if (shard.workchain !== id.workchain || shard.shard !== id.shard || seqno !== id.seqno) {
    throw unproven(`the state after ${formatBlock(id)} is one of another block: ${shard.workchain}, ${shard.shard}, ${seqno}`);
  }
  return { state, block };
}

/** Opens the proof of a block's header that shows the hash of its state. */
export function openStateHeader(id: BlockId, proof: Cell | undefined): ProvedBlock {
  if (!proof) throw unproven(`the header of ${formatBlock(id)} is missing`);
  const block = provedBlock(id, openHeader(id, proof).header);
  if (!block.stateRootHash) throw unproven(`the header of ${formatBlock(id)} must show the hash of its state`);
  return block;
}

/** Checks that data is a zero state, which has the hashes of its id: those of the root cell and of the bytes. */
export function checkZeroState(id: BlockId, answer: LiteAnswer<"getState">): Cell {
  return checked("a zero state", () => {
    requireBlock("the block of a state", answer.id, id);
    const fileHash = sha256(answer.data);
    if (!isEqual(fileHash, id.fileHash)) throw unproven(`the file hash of ${formatBlock(id)} does not match: ${hex(fileHash)}`);
    const [root] = readData(answer.data, "state");
    if (!root || !isEqual(root.hash, id.rootHash))
      throw unproven(`the root hash of ${formatBlock(id)} does not match its data`);
    return root;
  });
}
