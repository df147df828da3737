import { readSuspendedList } from "@chain-query/format/accounts";
import { readBlockShards } from "@chain-query/format/blocks";
import { type Cell, CellReader, hex, isEqual, openMerkleProof, sha256 } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { readMasterchainParts, readQueueSize, readShardTops, readStateShards, type ShardTop } from "@chain-query/format/states";
import { openHeader, openState, type ProvedBlock, provedBlock } from "@chain-query/proof/blocks";
import { formatBlock, requireBlock, UnprovenError } from "@chain-query/proof/unproven";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { checked, readData, readProof, readProofs } from "./evidence.ts";

/** Checks a block's header: root hash, seqno and shard. Does not check the file hash, and not whether the block is on the chain. */
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
  if (!isEqual(fileHash, id.fileHash))
    throw new UnprovenError(`the file hash of ${formatBlock(id)} does not match: ${hex(fileHash)}`);
  const [root] = readData(answer.data, kind);
  if (!root || !isEqual(root.hash, id.rootHash))
    throw new UnprovenError(`the root hash of ${formatBlock(id)} does not match its data`);
  return root;
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
    if (!isSame) throw new UnprovenError(`the shards of ${formatBlock(at)} are not those of its proof`);
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
    if (list && list.levelMask > 0) throw new UnprovenError("a proof must show all suspended accounts");
    return list;
  });
}

/** Checks the number of messages in the outbound queue after a block, asked for with mode 1. */
export function checkQueueSize(id: BlockId, answer: LiteAnswer<"getBlockOutMsgQueueSize">): number {
  return checked("a proof of a queue's size", () => {
    requireBlock("the block of a queue", answer.id, id);
    if (!answer.proof) throw new UnprovenError(`the queue of ${formatBlock(id)} has no proof`);
    const size = readQueueSize(openState(id, readProofs(answer.proof, 2)));
    if (size === undefined) throw new UnprovenError(`the state after ${formatBlock(id)} does not hold the size of its queue`);
    if (answer.size !== BigInt(size)) {
      throw new UnprovenError(`the queue of ${formatBlock(id)} must have ${size} messages, got ${answer.size}`);
    }
    return size;
  });
}
