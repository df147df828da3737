/** Verifies links between masterchain blocks, without a pool. */
import { setImmediate } from "node:timers/promises";
import type { BlockHeader } from "@chain-query/format/blocks";
import { openMerkleProof } from "@chain-query/format/cells";
import { type BlockId, isSameBlock, isSameShard, MASTERCHAIN } from "@chain-query/format/identifiers";
import { lookUpPastBlock } from "@chain-query/format/states";
import { hashNow } from "@chain-query/format/validator-groups";
import { openHeader, openStateHeader } from "@chain-query/proof/blocks";
import { openConfig, signersOf } from "@chain-query/proof/signatures";
import { formatBlock, requireBlock, UnprovenError } from "@chain-query/proof/unproven";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { proofError, readProof } from "./evidence.ts";
import { checkSignatures } from "./signatures.ts";

/** The result of a verified proof. */
export interface VerifiedBlockProof {
  /** The block at the end of the links. */
  readonly block: BlockId;
  /** The newest key block, or zero state, that the links use or lead to: the best block to trust later. Absent if they have no such block. */
  readonly keyBlock?: BlockId;
  /** Number of signatures that were verified. */
  readonly signatures: number;
}

/** Links of an answer at most. */
const MAX_LINKS = 16;

type Link = LiteAnswer<"getBlockProof">["steps"][number];
type ForwardLink = Extract<Link, { type: "blockLinkForward" }>;
type BackLink = Extract<Link, { type: "blockLinkBack" }>;

/**
 * Verifies the links of a proof, one after another, from a masterchain block that you trust.
 *
 * - A **forward** link leads from a key block, or the zero state, to a later block: the next key block, or one before that. The
 *   configuration of the first (parameters 34 or 35, and 28) decides which validators sign the second, whose header names them by a
 *   hash and the number of their catchain. More than two thirds of their weight must have signed it, in the ordinary or the Simplex form.
 * - A **back** link leads to an earlier block, which the history in the state of the first one has. It needs no signatures. After it, a
 *   forward link begins at the newest key block on the way or later: former validators, whose keys may be lost, cannot sign another chain.
 *
 * An answer has at most 16 links. Signatures are verified in threads, and the event loop is free between two links.
 *
 * The rules are those of `BlockProofLink::validate` of the reference node, and one more: the key block before the second block must be
 * the first one. So no key block with other validators is left out.
 *
 * @param trusted - A block of the masterchain, with both hashes: the `init_block` of a global configuration, its zero state, or the
 * `keyBlock` of an earlier proof.
 * @param proof - The answer of a lite server. It may end before the requested block: then `proof.complete` is false.
 * @param signal - Ends the verification.
 * @throws LiteError of kind "proof" if the proof is wrong or begins at another block; "unsupported" if validators or candidates have a
 * form that this version does not know. Signatures of an unknown form are refused as "unsupported" when the answer is read.
 * @throws The reason of the signal, when it aborts.
 *
 * @example
 * ```ts
 * import { verifyBlockProof } from "@chain-query/lite";
 * import { queries } from "@chain-query/lite/wire";
 *
 * const query = queries.getBlockProof({ mode: 1, knownBlock: trusted, targetBlock: head });
 * const proof = query.read(await connection.query(query.bytes, AbortSignal.timeout(3000)));
 * const { block } = await verifyBlockProof(trusted, proof); // `head`, if `proof.complete`
 * ```
 */
export async function verifyBlockProof(
  trusted: BlockId,
  proof: LiteAnswer<"getBlockProof">,
  signal?: AbortSignal,
): Promise<VerifiedBlockProof> {
  if (!isSameShard(trusted, MASTERCHAIN)) throw new RangeError("the trusted block must be one of the masterchain");
  try {
    return await followLinks(trusted, proof, signal);
  } catch (error) {
    throw proofError("a proof of a block", error);
  }
}

async function followLinks(
  trusted: BlockId,
  { from, to, steps }: LiteAnswer<"getBlockProof">,
  signal: AbortSignal | undefined,
): Promise<VerifiedBlockProof> {
  requireBlock("the first block of a proof", from, trusted);
  if (steps.length > MAX_LINKS) throw new UnprovenError(`a proof must have at most ${MAX_LINKS} links, got ${steps.length}`);
  let verified: VerifiedBlockProof = { block: trusted, signatures: 0 };
  let newestKey = 0;
  for (const link of steps) {
    requireBlock("the block from which a link leads", link.from, verified.block);
    newestKey = Math.max(newestKey, keySeqnoOf(link));
    if (link.type === "blockLinkForward" && link.from.seqno < newestKey) {
      throw new UnprovenError(`a forward link must begin at key block ${newestKey} or later, got ${formatBlock(link.from)}`);
    }
    verified = await followLink(verified, link, signal);
    // Reading a link takes about a millisecond: other work comes first.
    await setImmediate();
    signal?.throwIfAborted();
  }
  requireBlock("the last block of a proof", to, verified.block);
  return verified;
}

async function followLink(
  { keyBlock, signatures }: VerifiedBlockProof,
  link: Link,
  signal: AbortSignal | undefined,
): Promise<VerifiedBlockProof> {
  const { from, to, toKeyBlock, destProof } = link;
  const isForward = link.type === "blockLinkForward";
  if (!isSameShard(to, MASTERCHAIN) || (isForward ? to.seqno <= from.seqno : to.seqno >= from.seqno)) {
    const expected = `${isForward ? "a later" : "an earlier"} block of the masterchain`;
    throw new UnprovenError(`the link from ${formatBlock(from)} must lead to ${expected}, got ${formatBlock(to)}`);
  }
  // A zero state has no header.
  const header = to.seqno === 0 ? undefined : openHeader(to, readProof(destProof)).header;
  if (header && header.isKey !== toKeyBlock) {
    throw new UnprovenError(`the link to ${formatBlock(to)} must say whether it is a key block, got ${toKeyBlock}`);
  }
  if (link.type === "blockLinkBack") checkBackLink(link);
  const verified = link.type === "blockLinkForward" && header ? await checkForwardLink(link, header, signal) : 0;
  const keyBlocks = [keyBlock, isForward ? from : undefined, header?.isKey === false ? undefined : to];
  const newest = keyBlocks.reduce((one, other) => ((other?.seqno ?? -1) > (one?.seqno ?? -1) ? other : one));
  return { block: to, ...(newest && { keyBlock: newest }), signatures: signatures + verified };
}

/** The seqno of the newest key block, or zero state, up to the block from which a link leads. */
function keySeqnoOf(link: Link): number {
  if (link.type === "blockLinkForward") return link.from.seqno;
  const { isKey, previousKeySeqno } = openHeader(link.from, readProof(link.proof)).header;
  return isKey ? link.from.seqno : previousKeySeqno;
}

function checkBackLink({ from, to, proof, stateProof }: BackLink): void {
  const { stateRootHash } = openStateHeader(from, readProof(proof));
  const past = lookUpPastBlock(openMerkleProof(readProof(stateProof), stateRootHash), to.seqno);
  if (!past || !isSameBlock(past, to)) throw new UnprovenError(`${formatBlock(to)} is not an ancestor of ${formatBlock(from)}`);
}

/** @returns The number of signatures that were verified. */
function checkForwardLink(
  { from, to, configProof, signatures }: ForwardLink,
  header: BlockHeader,
  signal: AbortSignal | undefined,
): Promise<number> {
  const group = hashNow(signersOf(from, () => openConfig(from, readProof(configProof)), to, header));
  return checkSignatures(to, group, signatures, signal);
}
