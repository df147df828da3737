/** Lite servers of a chain with validators, and of a false chain with wrong signatures. */
import type { BlockId } from "@chain-query/format/identifiers";
import type { Validator } from "@chain-query/format/validators";
import type { LiteAnswer, LiteSignatureSet } from "@chain-query/lite-protocol/tl";
import { changeAnswer, type LiteBehaviour } from "@chain-query/lite-server/testing";
import type { ChainReader } from "../../src/domain.ts";
import { blockSignatures } from "../../src/reading/block-signatures.ts";

/** Steps from one rotation to the next, and the first block with signatures in the Simplex form. */
export const [KEY_BLOCKS, FIRST_SIMPLEX] = [2, 9] as const;
/** More than 16 rotations. */
export const SIGNED_STEPS = 37;
const common = { seed: 6, accounts: 10, shards: 1, validators: 4, keyBlocks: KEY_BLOCKS, blockInterval: 1 } as const;
export const SIGNED = { ...common, rate: 1, consensus: FIRST_SIMPLEX } as const;
/** Of the same zero state and validators, with other blocks. */
export const FALSE = { ...SIGNED, rate: 2 } as const;

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
    const before = { signers: () => chain.signers(Math.max(1, id.seqno - KEY_BLOCKS)) };
    return { ...set, signatures: (id.seqno > KEY_BLOCKS ? blockSignatures(before, id) : undefined)?.signatures ?? [] };
  };
}

/** A single link from the first block of the proof to its last one. */
function hideRotations(proof: Proof): Proof {
  const [source, last] = [proof.steps[0], proof.steps.at(-1)];
  if (source?.type !== "blockLinkForward" || last?.type !== "blockLinkForward") return proof;
  return { ...proof, steps: [{ ...last, from: source.from, configProof: source.configProof }] };
}

const simplexOnly = (set: LiteSignatureSet, change: object): LiteSignatureSet =>
  set.type === "signatureSet.simplex" ? { ...set, ...change } : first(() => ({ signature: new Uint8Array(64) }))(set);

/** Behaviours of servers of a false chain. Of each, no block may be believed. */
export function falseSignatures(chain: ChainReader): readonly (readonly [string, LiteBehaviour])[] {
  const otherCandidate = (set: LiteSignatureSet): object =>
    "candidate" in set ? { candidate: set.candidate.map((byte, index) => (index === 20 ? byte ^ 1 : byte)) } : {};
  return [
    ["a forged signature", resigned(chain, first(() => ({ signature: new Uint8Array(64).fill(7) })))],
    ["a signer twice", resigned(chain, first(({ signatures }) => ({ ...signatures[1] })))],
    ["an unknown signer", resigned(chain, first(() => ({ nodeIdShort: new Uint8Array(32).fill(9) })))],
    ["exactly two thirds of the weight", resigned(chain, twoThirds(chain))],
    ["another session", resigned(chain, (set) => simplexOnly(set, { sessionId: new Uint8Array(32) }))],
    ["another candidate", resigned(chain, (set) => simplexOnly(set, otherCandidate(set)))],
    ["an old set of validators", resigned(chain, oldValidators(chain))],
    ["hidden rotations", changeAnswer("getBlockProof", hideRotations)],
  ];
}
