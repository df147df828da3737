/** Lite servers of a chain with wrong signatures. */
import type { BlockId } from "@chain-query/format/identifiers";
import type { Validator } from "@chain-query/format/validators";
import type { LiteAnswer, LiteSignatureSet } from "@chain-query/lite-protocol/tl";
import { changeAnswer, type LiteBehaviour } from "@chain-query/lite-server/testing";
import type { BlockSigners, ChainReader } from "../domain.ts";
import { blockSignatures } from "../reading/block-signatures.ts";

type Proof = LiteAnswer<"getBlockProof">;

/** Replaces the signatures of all blocks. */
function resigned(chain: ChainReader, change: (set: LiteSignatureSet, id: BlockId) => LiteSignatureSet): LiteBehaviour {
  return {
    chain: (served) => ({
      ...served,
      signatures: (id) => {
        const set = blockSignatures(chain, id);
        return set && change(set, id);
      },
    }),
  };
}

/** Changes the first signature, which is always verified. */
function first(change: (set: LiteSignatureSet) => object): (set: LiteSignatureSet) => LiteSignatureSet {
  return (set) => ({
    ...set,
    signatures: set.signatures.map((one, index) => (index === 0 ? { ...one, ...change(set) } : one)),
  });
}

/** Signatures of validators with exactly two thirds of the weight, which is 1, 2, 1 and 2 in any order. */
function twoThirds(chain: ChainReader) {
  return (set: LiteSignatureSet, { seqno }: BlockId): LiteSignatureSet => {
    const weights = (chain.signers(seqno)?.group.validators ?? []).map(({ weight }: Validator) => weight);
    const left = weights.indexOf(2n);
    return { ...set, signatures: set.signatures.filter((_, index) => index !== left) };
  };
}

/** The validators before the last rotation sign, in the name of the next ones. */
function oldValidators(chain: ChainReader) {
  return (set: LiteSignatureSet, id: BlockId): LiteSignatureSet => {
    const old = oldSigners(chain, id.seqno);
    return { ...set, signatures: (old && blockSignatures({ signers: () => old }, id))?.signatures ?? [] };
  };
}

/** The validators before those of a block. */
function oldSigners(chain: ChainReader, seqno: number): BlockSigners | undefined {
  const current = chain.signers(seqno);
  for (let at = seqno - 1; at > 0; at--) {
    const signers = chain.signers(at);
    if (signers?.group.catchainSeqno !== current?.group.catchainSeqno) return signers;
  }
  return undefined;
}

/** A single link from the first block of the proof to its last one. */
function hideRotations(proof: Proof): Proof {
  const [source, last] = [proof.steps[0], proof.steps.at(-1)];
  if (source?.type !== "blockLinkForward" || last?.type !== "blockLinkForward") return proof;
  return { ...proof, steps: [{ ...last, from: source.from, configProof: source.configProof }] };
}

const simplexOnly = (set: LiteSignatureSet, change: object): LiteSignatureSet =>
  set.type === "signatureSet.simplex" ? { ...set, ...change } : first(() => ({ signature: new Uint8Array(64) }))(set);

/**
 * Behaviours of lite servers whose proofs by signatures are wrong, each with its name. No client may believe a block of theirs.
 *
 * @param chain - Of these servers; has validators.
 *
 * @example
 * for (const [name, behaviour] of falseSignatures(chain)) servers.push(await startFaultyLiteServer({ ...options, behaviours: [behaviour] }));
 */
export function falseSignatures(chain: ChainReader): readonly (readonly [string, LiteBehaviour])[] {
  const otherCandidate = (set: LiteSignatureSet): object =>
    "candidate" in set ? { candidate: set.candidate.map((byte, index) => (index === 20 ? byte ^ 1 : byte)) } : {};
  return [
    [
      "a forged signature",
      resigned(
        chain,
        first(() => ({ signature: new Uint8Array(64).fill(7) })),
      ),
    ],
    [
      "a signer twice",
      resigned(
        chain,
        first(({ signatures }) => ({ ...signatures[1] })),
      ),
    ],
    [
      "an unknown signer",
      resigned(
        chain,
        first(() => ({ nodeIdShort: new Uint8Array(32).fill(9) })),
      ),
    ],
    ["exactly two thirds of the weight", resigned(chain, twoThirds(chain))],
    ["another session", resigned(chain, (set) => simplexOnly(set, { sessionId: new Uint8Array(32) }))],
    ["another candidate", resigned(chain, (set) => simplexOnly(set, otherCandidate(set)))],
    ["an old set of validators", resigned(chain, oldValidators(chain))],
    ["hidden rotations", changeAnswer("getBlockProof", hideRotations)],
  ];
}
