/** A chain with a rotation of validators at every fourth block, and a lite server's proofs of it. */
import type { Cell } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { readQuery, writeAnswer } from "../../src/wire/tl/queries.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";
import {
  backLink,
  catchainConfig,
  configOf,
  forwardLink,
  type SignedBlock,
  setOf,
  signedChain,
  validator,
} from "../proof/signed-chain.ts";

/** A configuration with four validators. */
export const configOfFour = (first: number): Cell =>
  configOf({ 28: catchainConfig(true), 34: setOf([0, 1, 2, 3].map((number) => validator(first + number))) });
export const chain: readonly SignedBlock[] = signedChain(24, {
  0: configOfFour(1),
  4: configOfFour(3),
  8: configOfFour(5),
  12: configOfFour(7),
  16: configOfFour(9),
  20: configOfFour(11),
});
export const at = (seqno: number): SignedBlock => chain[seqno] as SignedBlock;
const keyBlocks = [0, 4, 8, 12, 16, 20];
export type Answer = LiteAnswer<"getBlockProof">;

/** The links that a lite server gives: from key block to key block, and back where the next one is too far. */
function honestAnswer(known: BlockId, target: BlockId, maxLinks: number): Answer {
  const steps: Answer["steps"][number][] = [];
  let { seqno } = known;
  while (seqno !== target.seqno && steps.length < maxLinks) {
    const key = keyBlocks.findLast((one) => one <= seqno) ?? 0;
    const next =
      target.seqno < seqno ? target.seqno : key < seqno ? key : (keyBlocks.find((one) => one > seqno) ?? target.seqno);
    steps.push(next < seqno ? backLink(at(seqno), at(next)) : forwardLink(at(seqno), at(next)));
    seqno = next;
  }
  return { complete: seqno === target.seqno, from: known, to: at(seqno).id, steps };
}

/** The answer to the bytes of a query. Without a target, block 24 is the newest. */
export function answerProof(
  bytes: Uint8Array,
  maxLinks = 16,
  change: (answer: Answer) => Answer = (answer) => answer,
): Uint8Array {
  const call = readQuery(bytes);
  if (call.name !== "getBlockProof") throw new Error(`a query of ${call.name}`);
  const { knownBlock, targetBlock = at(24).id } = call.args;
  return writeAnswer("getBlockProof", change(honestAnswer(knownBlock, targetBlock, maxLinks)));
}
