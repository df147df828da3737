/** The signatures of masterchain blocks, made when they are asked for. */
import type { BlockId } from "@chain-query/format/identifiers";
import { adnlKeyId } from "../wire/adnl/handshake.ts";
import type { LiteSignatureSet } from "../wire/tl/scheme.ts";
import { signedBlock, signedVote, writeCandidate } from "../wire/tl/signed.ts";
import type { BlockSigners, ChainReader } from "@chain-query/local-chain";

/** The signatures of all validators of a masterchain block. Undefined if the chain has no validators. */
export function blockSignatures(chain: Pick<ChainReader, "signers">, id: BlockId): LiteSignatureSet | undefined {
  const signers = chain.signers(id.seqno);
  return signers && signBlock(id, signers);
}

function signBlock(id: BlockId, { group, form, sessionId, sign }: BlockSigners): LiteSignatureSet {
  const vote = { sessionId, slot: id.seqno, candidate: writeCandidate(id) };
  const message = form === "simplex" ? signedVote(vote) : signedBlock(id);
  const signatures = group.validators.map((validator) => ({
    nodeIdShort: adnlKeyId(validator.publicKey),
    signature: sign(validator, message),
  }));
  const [catchainSeqno, validatorSetHash] = [group.catchainSeqno, group.listHash | 0];
  if (form === "ordinary") return { type: "signatureSet.ordinary", validatorSetHash, catchainSeqno, signatures };
  return { type: "signatureSet.simplex", ccSeqno: catchainSeqno, validatorSetHash, signatures, ...vote };
}
