/** Which validators must sign a masterchain block, and the bytes that they sign. Verifying the signatures is left to the caller. */
import { type BlockHeader, readBlockConfig } from "@chain-query/format/blocks";
import { type Cell, CellError, concat, openMerkleProof, PrunedCellError, sha256 } from "@chain-query/format/cells";
import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";
import { readMasterchainParts } from "@chain-query/format/states";
import {
  type Hashing,
  masterchainValidators,
  totalWeight,
  type Validator,
  type ValidatorGroup,
} from "@chain-query/format/validators";
import { openHeader } from "./blocks.ts";
import { formatBlock, UnprovenError } from "./unproven.ts";

/**
 * The root of the configuration that a key block, or the zero state, sets.
 *
 * @param root - Of the block, or of the zero state.
 */
export function readConfig(id: BlockId, root: Cell): Cell {
  const config = id.seqno === 0 ? readMasterchainParts(root).config : readBlockConfig(root);
  if (!config) throw new UnprovenError(`a forward link must begin at a key block, got ${formatBlock(id)}`);
  return config;
}

/** Reads the configuration, see `readConfig`, in a Merkle proof of the block, or of the zero state. */
export function openConfig(id: BlockId, proof: Cell): Cell {
  return readConfig(id, id.seqno === 0 ? openMerkleProof(proof, id.rootHash) : openHeader(id, proof).root);
}

/**
 * The validators that must sign a later block of the masterchain. Its header must name them, and the key block as the newest before it: so
 * no key block with other validators is left out.
 *
 * @param key - A key block, or the zero state, that is trusted.
 * @param readConfig - Gives its configuration, see `openConfig`.
 * @throws UnprovenError of kind "unsupported" if the configuration has validators in a form that this version does not know.
 */
export function* signersOf(key: BlockId, readConfig: () => Cell, id: BlockId, header: BlockHeader): Hashing<ValidatorGroup> {
  if (header.previousKeySeqno !== key.seqno) {
    const got = `got a link from ${formatBlock(key)}`;
    throw new UnprovenError(`the key block before ${formatBlock(id)} is number ${header.previousKeySeqno}, ${got}`);
  }
  const group = yield* selectGroup(key, readConfig(), header.catchainSeqno);
  if (group.listHash !== header.validatorListHash) {
    const expected = groupName({ ...group, listHash: header.validatorListHash });
    throw new UnprovenError(
      `${formatBlock(id)} must be signed by ${expected}, but ${formatBlock(key)} leads to ${groupName(group)}`,
    );
  }
  return group;
}

function* selectGroup(key: BlockId, config: Cell, catchainSeqno: number): Hashing<ValidatorGroup> {
  try {
    return yield* masterchainValidators(config, catchainSeqno);
  } catch (error) {
    // The configuration has the hash of a trusted block, so other forms than the known ones are new ones.
    if (!(error instanceof CellError) || error instanceof PrunedCellError) throw error;
    throw new UnprovenError(`the validators of ${formatBlock(key)}: ${error.message}`, "unsupported", { cause: error });
  }
}

/** A group of validators for messages. */
export function groupName({ catchainSeqno, listHash }: ValidatorGroup): string {
  return `the validators ${listHash.toString(16).padStart(8, "0")} of catchain ${catchainSeqno}`;
}

/**
 * How many signatures, from the first on, are of more than two thirds of the group's weight. The others need not be verified.
 *
 * @param signers - Different validators of the group, in the order of their signatures.
 * @throws UnprovenError if all of them have too little weight.
 */
export function countNeeded(id: BlockId, group: ValidatorGroup, signers: readonly Validator[]): number {
  const total = totalWeight(group.validators);
  let signed = 0n;
  for (const [index, { weight }] of signers.entries()) {
    signed += weight;
    // Weights are bigints, so that there is no rounding.
    if (3n * signed > 2n * total) return index + 1;
  }
  throw new UnprovenError(`${formatBlock(id)} must be signed by more than two thirds of the weight, got ${signed} of ${total}`);
}

/** The last vote on a candidate, which makes its block final. */
export interface SimplexVote {
  /** 32 bytes. */
  readonly sessionId: Uint8Array;
  readonly slot: number;
  /** TL `consensus.CandidateHashData`, which names the block. */
  readonly candidate: Uint8Array;
}

/**
 * The bytes that validators sign.
 *
 * - Ordinary form: TL `ton.blockId root_cell_hash:int256 file_hash:int256`.
 * - Simplex form: TL `consensus.dataToSign session_id:int256 data:bytes`, whose data is `consensus.simplex.finalizeVote
 *   id:consensus.CandidateId` with `consensus.candidateId slot:int hash:int256` and the SHA-256 of the candidate.
 *
 * @param vote - Only of the Simplex form.
 * @throws UnprovenError if the candidate names another block, or no block; of kind "unsupported" if it has a form that this version does
 * not know.
 */
export function signedBytes(id: BlockId, vote?: SimplexVote): Uint8Array {
  if (!vote) return concat(uint32(0xc50b6e70), id.rootHash, id.fileHash);
  const { sessionId, slot, candidate } = vote;
  const named = readCandidate(candidate);
  if (!isSameBlock(named, id)) {
    throw new UnprovenError(`the signatures must be for ${formatBlock(id)}, got a candidate for ${formatBlock(named)}`);
  }
  if (sessionId.length !== 32) throw new UnprovenError(`a session must have 32 bytes, got ${sessionId.length}`);
  const data = concat(uint32(0x40a7e105), uint32(0xb691cd3f), uint32(slot), sha256(candidate));
  return concat(uint32(0xa8e33df8), sessionId, Uint8Array.of(data.length), data, new Uint8Array(3));
}

/** Bytes of a candidate: its tag, the id of its block, the hash of collated data, an optional parent with its tags. */
const [TAG, BLOCK, COLLATED, CANDIDATE_ID] = [4, 80, 32, 36] as const;
const [ORDINARY, EMPTY] = [0xe8f9bcdc, 0x72b4d933] as const;
const [PARENT, NO_PARENT] = [0x1a4b9af1, 0x22cbcca9] as const;

/**
 * Reads the block that a candidate names: TL `consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256
 * parent:consensus.CandidateParent` or `consensus.candidateHashDataEmpty block:tonNode.blockIdExt parent:consensus.candidateId`.
 */
function readCandidate(candidate: Uint8Array): BlockId {
  const view = new DataView(candidate.buffer, candidate.byteOffset, candidate.byteLength);
  const tagAt = (at: number, ...known: readonly number[]): number => {
    if (at + TAG > candidate.length) throw new UnprovenError(`a candidate ends within its first ${at + TAG} bytes`);
    const tag = view.getUint32(at, true);
    if (known.includes(tag)) return tag;
    throw new UnprovenError(`a candidate has the unknown tag ${tag.toString(16)}`, "unsupported");
  };
  let length = TAG + BLOCK;
  if (tagAt(0, ORDINARY, EMPTY) === EMPTY) length += CANDIDATE_ID;
  else {
    length += COLLATED + TAG;
    if (tagAt(length - TAG, PARENT, NO_PARENT) === PARENT) {
      tagAt(length, 0xb691cd3f);
      length += TAG + CANDIDATE_ID;
    }
  }
  if (candidate.length !== length) throw new UnprovenError(`a candidate must have ${length} bytes, got ${candidate.length}`);
  return {
    workchain: view.getInt32(4, true),
    shard: view.getBigInt64(8, true),
    seqno: view.getInt32(16, true),
    rootHash: candidate.slice(20, 52),
    fileHash: candidate.slice(52, 84),
  };
}

/** Writes a candidate that names a block, without collated data and without a parent, see `readCandidate`. */
export function writeCandidate({ workchain, shard, seqno, rootHash, fileHash }: BlockId): Uint8Array {
  const id = new DataView(new ArrayBuffer(16));
  id.setInt32(0, workchain, true);
  id.setBigInt64(4, shard, true);
  id.setInt32(12, seqno, true);
  const noCollatedData = sha256(new Uint8Array());
  return concat(uint32(ORDINARY), new Uint8Array(id.buffer), rootHash, fileHash, noCollatedData, uint32(NO_PARENT));
}

function uint32(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, value, true);
  return new Uint8Array(bytes.buffer);
}
