import { writeBoc } from "../cells/boc-writer.ts";
import { sha256 } from "../cells/representation.ts";
import type { BlockId } from "../identifiers/types.ts";
import { type ShardState, stateCell } from "./shard-state.ts";

/** A zero state, named as the block with number 0, and its bag of cells. Throws a TypeError where an account's cells are not there. */
export function zeroState(state: ShardState): { readonly id: BlockId; readonly boc: Uint8Array } {
  const root = stateCell(state);
  const boc = writeBoc(root);
  return { id: { ...state.shard, seqno: 0, rootHash: root.hash, fileHash: sha256(boc) }, boc };
}
