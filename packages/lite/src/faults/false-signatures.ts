/** Lite servers of a chain with wrong signatures. */
import type { BlockId } from "@chain-query/format/identifiers";
import type { BlockSigners, Validator } from "@chain-query/format/validators";
import type { LiteBehaviour } from "../answers/behaviour.ts";
import { blockSignatures, type SigningChain } from "../answers/signing-chain.ts";
import type { LiteAnswer, LiteSignatureSet } from "../wire/tl/scheme.ts";
import { changeAnswer } from "./false-answers.ts";

type Proof = LiteAnswer<"getBlockProof">;
type Signers = Pick<SigningChain, "signers">;

/** Replaces the signatures of a block and of those after it. */
function resigned(chain: Signers, from: number, change: (set: LiteSignatureSet, id: BlockId) => object): LiteBehaviour {
  return {
    chain: (served) => ({
      ...served,
      signatures: (id) => {
        const set = blockSignatures(chain, id);
        return set && id.seqno >= from ? { ...set, ...change(set, id) } : set;
      },
    }),
  };
}

/** Changes the first signature, which is always verified. */
function first(change: (set: LiteSignatureSet) => object): (set: LiteSignatureSet) => object {
  return (set) => ({
    signatures: set.signatures.map((one, index) => (index === 0 ? { ...one, ...change(set) } : one)),
  });
}

/** Signatures of validators with exactly two thirds of the weight, which is 1, 2, 1 and 2 in any order. */
function twoThirds(chain: Signers) {
  return (set: LiteSignatureSet, { seqno }: BlockId): object => {
    const weights = (chain.signers(seqno)?.group.validators ?? []).map(({ weight }: Validator) => weight);
    const left = weights.indexOf(2n);
    return { signatures: set.signatures.filter((_, index) => index !== left) };
  };
}

/** The validators before the last rotation sign, in the name of the next ones. */
function oldValidators(chain: Signers) {
  return (_: LiteSignatureSet, id: BlockId): object => {
    const old = blockSignatures({ signers: () => oldSigners(chain, id.seqno) }, id);
    if (!old) throw new RangeError(`block ${id.seqno} is before the first rotation`);
    return { signatures: old.signatures };
  };
}

/** The validators before those of a block. */
function oldSigners(chain: Signers, seqno: number): BlockSigners | undefined {
  const current = chain.signers(seqno);
  for (let at = seqno - 1; at > 0; at--) {
    const signers = chain.signers(at);
    if (signers?.group.catchainSeqno !== current?.group.catchainSeqno) return signers;
  }
  return undefined;
}

/** A single link in place of all that lead to a block and to those after it. */
function hideRotations(from: number) {
  return (proof: Proof): Proof => {
    const begin = proof.steps.findIndex(({ to }) => to.seqno >= from);
    const [source, last] = [proof.steps[begin], proof.steps.at(-1)];
    if (source?.type !== "blockLinkForward" || last?.type !== "blockLinkForward") return proof;
    return {
      ...proof,
      steps: [...proof.steps.slice(0, begin), { ...last, from: source.from, configProof: source.configProof }],
    };
  };
}

/** The bytes of a candidate: its block from the begin on, then other fields. */
const otherCandidate =
  (at: number) =>
  (set: LiteSignatureSet): object =>
    "candidate" in set ? { candidate: set.candidate.map((byte, index) => (index === at ? byte ^ 1 : byte)) } : {};

interface FalseSignatures {
  readonly name: string;
  readonly behaviour: LiteBehaviour;
  /** A part of the message with which a verifier refuses such a proof. */
  readonly refusal: string;
}

/**
 * Behaviours of lite servers whose proofs by signatures are wrong from a block on. No client may believe this block or a later one.
 *
 * @param chain - Of these servers; has validators.
 * @param from - A block after the first rotation. Behaviours of sessions and candidates are left out if its signatures are ordinary.
 *
 * @example
 * for (const { behaviour } of falseSignatures(chain, 6)) servers.push(await startFaultyLiteServer({ ...options, behaviours: [behaviour] }));
 */
export function falseSignatures(chain: Signers, from: number): readonly FalseSignatures[] {
  const signed = (name: string, refusal: string, change: (set: LiteSignatureSet, id: BlockId) => object): FalseSignatures => ({
    ...{ name, refusal, behaviour: resigned(chain, from, change) },
  });
  const simplex = [
    signed("another session", "is invalid", () => ({ sessionId: new Uint8Array(32) })),
    signed("a candidate of another block", "got a candidate for", otherCandidate(20)),
    signed("another candidate of the block", "is invalid", otherCandidate(90)),
  ];
  return [
    signed(
      "a forged signature",
      "is invalid",
      first(() => ({ signature: new Uint8Array(64).fill(7) })),
    ),
    signed(
      "a signer twice",
      "two signatures are by the same validator",
      first(({ signatures }) => ({ ...signatures[1] })),
    ),
    signed(
      "an unknown signer",
      "is not a validator of the group",
      first(() => ({ nodeIdShort: new Uint8Array(32).fill(9) })),
    ),
    signed("exactly two thirds of the weight", "more than two thirds of the weight, got 4 of 6", twoThirds(chain)),
    signed("an old set of validators", "is not a validator of the group", oldValidators(chain)),
    {
      ...{ name: "hidden rotations", refusal: "the key block before" },
      behaviour: changeAnswer("getBlockProof", hideRotations(from)),
    },
    ...(chain.signers(from)?.form === "simplex" ? simplex : []),
  ];
}
