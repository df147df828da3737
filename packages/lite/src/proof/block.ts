import { readSuspendedList } from "@chain-query/format/accounts";
import { type BlockHeader, readBlockHeader, readBlockShards } from "@chain-query/format/blocks";
import { type Cell, CellReader, hex, isEqual, openMerkleProof, PrunedCellError, sha256 } from "@chain-query/format/cells";
import type { BlockId, BlockRef } from "@chain-query/format/identifiers";
import {
  readMasterchainParts,
  readQueueSize,
  readShardTops,
  readState,
  readStateShards,
  type ShardTop,
} from "@chain-query/format/states";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { checked, formatBlock, readData, readProof, readProofs, requireBlock, unproven } from "./evidence.ts";

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
type ProvedStateBlock = ProvedBlock & { readonly stateRootHash: Uint8Array };

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
    readNamed(id, answer, "block");
    return answer.data;
  });
}

/** Checks that data is a zero state, which has the hashes of its id: those of the root cell and of the bytes. */
export function checkZeroState(id: BlockId, answer: LiteAnswer<"getState">): Cell {
  return checked("a zero state", () => readNamed(id, answer, "state"));
}

function readNamed(id: BlockId, answer: { readonly id: BlockId; readonly data: Uint8Array }, kind: "block" | "state"): Cell {
  requireBlock(kind === "block" ? "the block of data" : "the block of a state", answer.id, id);
  const fileHash = sha256(answer.data);
  if (!isEqual(fileHash, id.fileHash)) throw unproven(`the file hash of ${formatBlock(id)} does not match: ${hex(fileHash)}`);
  const [root] = readData(answer.data, kind);
  if (!root || !isEqual(root.hash, id.rootHash)) throw unproven(`the root hash of ${formatBlock(id)} does not match its data`);
  return root;
}

/** The proven part of a block, and its header. */
interface OpenedBlock {
  readonly root: Cell;
  readonly header: BlockHeader;
}

/** Opens the Merkle proof of a block, and checks that its header is the block's. */
export function openHeader(id: BlockId, proof: Cell): OpenedBlock {
  const root = openMerkleProof(proof, id.rootHash);
  const header = readBlockHeader(root);
  const { workchain, shard, seqno } = header;
  if (workchain !== id.workchain || shard !== id.shard || seqno !== id.seqno) {
    throw unproven(`the header of ${formatBlock(id)} is one of ${formatBlock({ ...id, workchain, shard, seqno })}`);
  }
  return { root, header };
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
    throw unproven(`the proof of the state after ${formatBlock(id)} must have ${expected} roots, got ${proofs.length}`);
  }
  const hash = id.seqno === 0 ? id.rootHash : openStateHeader(id, proofs[0]).stateRootHash;
  const state = openMerkleProof(stateProof, hash);
  const { shard, seqno } = readState(state);
  if (shard.workchain !== id.workchain || shard.shard !== id.shard || seqno !== id.seqno) {
    throw unproven(`the state after ${formatBlock(id)} is one of another block: ${shard.workchain}, ${shard.shard}, ${seqno}`);
  }
  return state;
}

/** Opens the proof of a block's header that shows the hash of its state. */
export function openStateHeader(id: BlockId, proof: Cell | undefined): ProvedStateBlock {
  if (!proof) throw unproven(`the header of ${formatBlock(id)} is missing`);
  const { stateRootHash, ...block } = provedBlock(id, openHeader(id, proof).header);
  if (!stateRootHash) throw unproven(`the header of ${formatBlock(id)} must show the hash of its state`);
  return { ...block, stateRootHash };
}

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

/** The root of the dictionary of shards; the proof may prune it. */
function openShards(at: BlockId, proofs: readonly Cell[]): Cell | undefined {
  const [first] = proofs;
  // Such a proof does not contain the block's header: only its root hash identifies the block.
  if (first && proofs.length === 1 && at.seqno > 0) return readBlockShards(openMerkleProof(first, at.rootHash));
  return readStateShards(openState(at, proofs));
}

/** Checks the accounts that the configuration suspends as of a masterchain block; undefined if it suspends none. */
export function checkSuspendedList(at: BlockId, answer: LiteAnswer<"getConfigParams">): Cell | undefined {
  return checked("a proof of the configuration", () => {
    requireBlock("the block of a configuration", answer.id, at);
    const header = at.seqno === 0 ? [] : readProofs(answer.stateProof, 1);
    const state = openState(at, [...header, ...readProofs(answer.configProof, 1)]);
    const list = readSuspendedList(readMasterchainParts(state).config);
    if (list && list.levelMask > 0) throw unproven("a proof must show all suspended accounts");
    return list;
  });
}

/** Checks the number of messages in the outbound queue after a block, asked for with mode 1. */
export function checkQueueSize(id: BlockId, answer: LiteAnswer<"getBlockOutMsgQueueSize">): number {
  return checked("a proof of a queue's size", () => {
    requireBlock("the block of a queue", answer.id, id);
    if (!answer.proof) throw unproven(`the queue of ${formatBlock(id)} has no proof`);
    const size = readQueueSize(openState(id, readProofs(answer.proof, 2)));
    if (size === undefined) throw unproven(`the state after ${formatBlock(id)} does not hold the size of its queue`);
    if (answer.size !== BigInt(size)) {
      throw unproven(`the queue of ${formatBlock(id)} must have ${size} messages, got ${answer.size}`);
    }
    return size;
  });
}
