/** A server that answers the same query differently the second time, to lead to a chain of its own validators. */
import type { BlockId } from "@chain-query/format/identifiers";
import { readQuery, writeAnswer } from "../../src/wire/tl/queries.ts";
import { type ForwardLink, forwardLink, type SignedBlock, signedChain } from "../proof/signed-chain.ts";
import { at, configOfFour } from "./honest-proofs.ts";

const invented = signedChain(24, { 0: configOfFour(101), 8: configOfFour(105), 20: configOfFour(111) });
const inventedAt = (seqno: number): SignedBlock => invented[seqno] as SignedBlock;

/** The candidate of a link is longer than it should be. */
function withLongCandidate(link: ForwardLink): ForwardLink {
  const { signatures } = link;
  if (signatures.type !== "signatureSet.simplex") throw new Error("a link in the Simplex form is needed");
  return { ...link, signatures: { ...signatures, candidate: Buffer.concat([signatures.candidate, Buffer.alloc(4)]) } };
}

/**
 * From block 0 it leads to the invented block 8 at first, by a link that does not hold, and then to the right block 4. From any other
 * block it leads from the invented block 8 to the target.
 */
export function changedAnswers(): { readonly target: BlockId; readonly answer: (bytes: Uint8Array) => Uint8Array } {
  let isFirst = true;
  const answer = (bytes: Uint8Array): Uint8Array => {
    const call = readQuery(bytes);
    if (call.name !== "getBlockProof") throw new Error(`a query of ${call.name}`);
    const from = call.args.knownBlock;
    if (from.seqno > 0) {
      const steps = [forwardLink(inventedAt(8), inventedAt(20)), forwardLink(inventedAt(20), inventedAt(24))];
      return writeAnswer(call.name, { complete: true, from: inventedAt(8).id, to: inventedAt(24).id, steps });
    }
    const right = forwardLink(at(0), at(4));
    const [to, link] = isFirst ? [inventedAt(8).id, withLongCandidate(right)] : [at(4).id, right];
    isFirst = false;
    return writeAnswer(call.name, { complete: false, from, to, steps: [link] });
  };
  return { target: inventedAt(24).id, answer };
}
