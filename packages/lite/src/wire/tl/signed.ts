/** The bytes that validators sign, in the two forms of the network. */

import { sha256 } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { TlReader, TlWriter } from "./bytes.ts";
import { scheme } from "./queries.ts";
import type { LiteSignatureSet, Value } from "./scheme.ts";

/** The bytes that an ordinary signature signs: TL `ton.blockId root_cell_hash:int256 file_hash:int256`. */
export function signedBlock({ rootHash, fileHash }: BlockId): Uint8Array {
  return write("ton.BlockId", { rootCellHash: rootHash, fileHash });
}

/** The last vote on a candidate, which makes its block final. */
export type SimplexVote = Pick<Extract<LiteSignatureSet, { type: "signatureSet.simplex" }>, "sessionId" | "slot" | "candidate">;

/**
 * The bytes that a Simplex signature signs: TL `consensus.dataToSign session_id:int256 data:bytes` with a
 * `consensus.simplex.finalizeVote` for the slot and the SHA-256 of the candidate. `readCandidate` tells the block.
 */
export function signedVote({ sessionId, slot, candidate }: SimplexVote): Uint8Array {
  const id = { slot, hash: sha256(candidate) };
  const data = write("consensus.simplex.UnsignedVote", { type: "simplex.finalizeVote", id });
  return write("consensus.DataToSign", { sessionId, data });
}

/**
 * Writes a candidate that names a block, without collated data and without a parent: TL `consensus.candidateHashDataOrdinary`.
 */
export function writeCandidate(block: BlockId): Uint8Array {
  const parent = { type: "candidateWithoutParents" } as const;
  const data = { type: "candidateHashDataOrdinary", block, collatedFileHash: NO_COLLATED_DATA, parent } as const;
  return write("consensus.CandidateHashData", data);
}

/** SHA-256 of no bytes. */
const NO_COLLATED_DATA = sha256(new Uint8Array());

/**
 * Reads the block that a candidate names: TL `consensus.candidateHashDataOrdinary` or `consensus.candidateHashDataEmpty`.
 *
 * @throws LiteError of kind "protocol" if the bytes are not a candidate, "unsupported" for a candidate of another form.
 */
export function readCandidate(candidate: Uint8Array): BlockId {
  const reader = new TlReader(candidate);
  const { block } = scheme.boxed("consensus.CandidateHashData").read(reader) as Value<"consensus.CandidateHashData">;
  reader.end();
  return block;
}

function write<Type extends string>(type: Type, value: Value<Type>): Uint8Array {
  const writer = new TlWriter();
  scheme.boxed(type).write(writer, value);
  return writer.finish();
}
