import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";
import { formatBlock } from "@chain-query/proof/unproven";
import { type VerifiedBlockProof, verifyBlockProof } from "../proof/block-links.ts";
import type { Connection } from "../wire/adnl/connect.ts";
import { LiteError } from "../wire/lite-error.ts";
import { type LiteQuery, queries } from "../wire/tl/queries.ts";
import type { LiteAnswer } from "../wire/tl/scheme.ts";

/** Options of `followBlockProof`. */
export interface FollowOptions {
  /** The masterchain block to prove; default: the newest block of the server. */
  readonly target?: BlockId | undefined;
  /** Ends the queries and the verification. */
  readonly signal: AbortSignal;
  /** Receives what is verified so far after each answer, for example to keep `keyBlock`. */
  readonly onProgress?: ((verified: VerifiedBlockProof) => void) | undefined;
}

/**
 * Asks a lite server for proofs from a trusted masterchain block to another one, and verifies them, see `verifyBlockProof`. An answer has
 * at most 16 links, so it takes a query for each 16 key blocks on the way.
 *
 * Each answer must lead to a later block, or to the target. So a server cannot keep a caller busy without blocks that validators signed.
 *
 * @throws LiteError of kind "proof" if links are wrong or lead elsewhere, "unavailable" if the server gives no links, "unsupported" for a
 * form that this version does not know, and those of the connection.
 * @throws The reason of the signal, when it aborts.
 *
 * @example
 * ```ts
 * import { followBlockProof } from "@chain-query/lite";
 * import { connect } from "@chain-query/lite/wire";
 *
 * const connection = await connect({ host: "127.0.0.1", port: 4443, publicKey });
 * const { block, keyBlock } = await followBlockProof(connection, trusted, { signal: AbortSignal.timeout(60_000) });
 * connection.close();
 * ```
 */
export function followBlockProof(
  connection: Pick<Connection, "query">,
  trusted: BlockId,
  options: FollowOptions,
): Promise<VerifiedBlockProof> {
  const ask: AskForProof = async ({ query, check }, signal) =>
    check(query.read(await connection.query(query.bytes, signal)), signal);
  return follow(ask, trusted, options);
}

type ProofAnswer = LiteAnswer<"getBlockProof">;

interface ProofQuery<Result> {
  readonly query: LiteQuery<ProofAnswer>;
  readonly check: (answer: ProofAnswer, signal: AbortSignal) => Promise<Result>;
}

/** Sends a query, and verifies its answer, until the signal aborts. */
export type AskForProof = <Result>(read: ProofQuery<Result>, signal: AbortSignal) => Promise<Result>;

/** A part of the way, which one answer proves. */
interface Part {
  readonly from: BlockId;
  /** The first answer as soon as it arrives, unverified; undefined if another read has verified it. The verified one may be another. */
  readonly answer: Promise<ProofAnswer | undefined>;
  readonly verified: Promise<VerifiedPart>;
}

interface VerifiedPart {
  readonly verified: VerifiedBlockProof;
  readonly isComplete: boolean;
}

/**
 * As `followBlockProof`, with other ways to ask a server. While an answer is verified, the next one is on its way. It counts only if it
 * begins at the block to which the verified answer leads, and ends with the others.
 */
export async function follow(ask: AskForProof, trusted: BlockId, options: FollowOptions): Promise<VerifiedBlockProof> {
  const end = new AbortController();
  try {
    return await followParts(ask, trusted, { ...options, signal: AbortSignal.any([options.signal, end.signal]) });
  } finally {
    end.abort(new LiteError("unavailable", "no caller waits for the answer"));
  }
}

async function followParts(
  ask: AskForProof,
  trusted: BlockId,
  { target, signal, onProgress }: FollowOptions,
): Promise<VerifiedBlockProof> {
  const isTarget = (block: BlockId) => target !== undefined && isSameBlock(block, target);
  let at: VerifiedBlockProof = { block: trusted, signatures: 0 };
  let next: Part | undefined;
  let isComplete = false;
  while (!isComplete && !isTarget(at.block)) {
    const from = at.block;
    // A server that is asked again after an error may lead elsewhere than its first answer.
    const part: Part = next && isSameBlock(next.from, from) ? next : startPart(ask, from, target, signal);
    const answer = await part.answer;
    const isMore = answer && !answer.complete && answer.to.seqno > from.seqno && !isTarget(answer.to);
    next = isMore ? startPart(ask, answer.to, target, signal) : undefined;
    // If this part is wrong, the next one does not matter.
    next?.verified.catch(() => {});
    const done = await part.verified;
    at = joined(at, done.verified);
    ({ isComplete } = done);
    if (!isComplete && isSameBlock(at.block, from)) {
      throw new LiteError("unavailable", `the lite server gives no links from ${formatBlock(from)}`);
    }
    onProgress?.(at);
  }
  return at;
}

function startPart(ask: AskForProof, from: BlockId, target: BlockId | undefined, signal: AbortSignal): Part {
  const query = queries.getBlockProof(
    target ? { mode: 1, knownBlock: from, targetBlock: target } : { mode: 0, knownBlock: from },
  );
  const { promise: answer, resolve, reject } = Promise.withResolvers<ProofAnswer | undefined>();
  const check = (proof: ProofAnswer, ended: AbortSignal): Promise<VerifiedPart> => {
    resolve(proof);
    return verifyPart(from, target, proof, ended);
  };
  const verified = ask({ query, check }, signal);
  verified.then(() => resolve(undefined), reject);
  answer.catch(() => {});
  return { from, answer, verified };
}

async function verifyPart(
  from: BlockId,
  target: BlockId | undefined,
  proof: ProofAnswer,
  signal: AbortSignal,
): Promise<VerifiedPart> {
  const verified = await verifyBlockProof(from, proof, signal);
  const isComplete = proof.complete && !target;
  // The links to an earlier target lead to the next key block first, and from there back in a single link.
  const isBeyond = target !== undefined && from.seqno >= target.seqno;
  // No links are no false answer: `follow` ends without them.
  const isEmpty = proof.steps.length === 0 && !proof.complete;
  // The next answer may begin at any block, so this one must not have gone back behind a key block.
  const isBack = verified.block.seqno <= from.seqno || verified.block.seqno < (verified.keyBlock?.seqno ?? 0);
  const hasEnded = !isEmpty && (proof.complete || isBeyond || isBack);
  if (!isComplete && hasEnded && !(target && isSameBlock(verified.block, target))) {
    const expected = target ? formatBlock(target) : "a later block";
    throw new LiteError(
      "proof",
      `the proof from ${formatBlock(from)} must lead to ${expected}, but ends at ${formatBlock(verified.block)}`,
    );
  }
  return { verified, isComplete };
}

function joined(first: VerifiedBlockProof, second: VerifiedBlockProof): VerifiedBlockProof {
  const isNewer = (second.keyBlock?.seqno ?? -1) >= (first.keyBlock?.seqno ?? -1);
  const keyBlock = isNewer ? second.keyBlock : first.keyBlock;
  return { block: second.block, ...(keyBlock && { keyBlock }), signatures: first.signatures + second.signatures };
}
