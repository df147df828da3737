import { type BlockHeader, readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, hex, isEqual, openMerkleProof, PrunedCellError, sha256 } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { LiteAnswer } from "@chain-query/lite-protocol/tl";
import { checked, formatBlock, readData, readProof, requireBlock, unproven } from "./evidence.ts";

/** The proven header of a block. */
export interface ProvedBlock {
  readonly id: BlockId;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly isKey: boolean;
  /** Undefined if the proof does not show it. */
  readonly stateRootHash: Uint8Array | undefined;
}

/**
 * Checks a block's header: root hash, seqno and shard. Does not check the file hash, and not whether the block is on the chain.
 */
export function checkBlockHeader(id: BlockId, answer: LiteAnswer<"getBlockHeader">): ProvedBlock {
  return checked("a block header", () => {
    requireBlock("the block of a header", answer.id, id);
    return provedBlock(id, openHeader(id, readProof(answer.headerProof)).header);
  });
}

/** Checks that data is a block: its root hash and file hash. */
export function checkBlockData(id: BlockId, answer: LiteAnswer<"getBlock">): Uint8Array {
  return checked("block data", () => {
    requireBlock("the block of data", answer.id, id);
    const fileHash = sha256(answer.data);
    if (!isEqual(fileHash, id.fileHash)) throw unproven(`the file hash of ${formatBlock(id)} does not match: ${hex(fileHash)}`);
    const [root] = readData(answer.data, "block");
    if (!root || !isEqual(root.hash, id.rootHash))
      throw unproven(`the root hash of ${formatBlock(id)} does not match its data`);
    return answer.data;
  });
}

/** The proven part of a block, and its header. */
export interface OpenedBlock {
  readonly root: Cell;
  readonly header: BlockHeader;
}

/** Opens the Merkle proof of a block, and checks that its header is the block's. */
export function openHeader(id: BlockId, proof: Cell): OpenedBlock {
  const root = openMerkleProof(proof, id.rootHash);
  const header = readBlockHeader(root);
  const { workchain, shard, seqno, isMasterchain } = header;
  if (workchain !== id.workchain || shard !== id.shard || seqno !== id.seqno || isMasterchain !== (workchain === -1)) {
    const name = formatBlock({ ...id, workchain, shard, seqno });
    throw unproven(`the header of ${formatBlock(id)} is one of ${name}${isMasterchain ? " in the masterchain" : ""}`);
  }
  return { root, header };
}

/** The description of a block whose header was checked. */
export function provedBlock(id: BlockId, header: BlockHeader): ProvedBlock {
  const { startLt, endLt, time, isKey } = header;
  return { id, startLt, endLt, time, isKey, stateRootHash: readStateHash(header) };
}

function readStateHash(header: BlockHeader): Uint8Array | undefined {
  try {
    return header.readStateHashes().newHash;
  } catch (error) {
    if (error instanceof PrunedCellError) return undefined;
    throw error;
  }
}
