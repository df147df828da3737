import { type BlockId, isSameBlock } from "@chain-query/format/identifiers";
import type { Connection } from "@chain-query/lite-protocol/adnl";
import { type LiteAnswer, type LiteQuery, queries } from "@chain-query/lite-protocol/tl";
import { type VerifiedBlockProof, verifyBlockProof } from "../proof/block-links.ts";
import { formatBlock, unproven } from "../proof/evidence.ts";

/** Options of `followBlockProof`. */
export interface FollowOptions {
  /** The masterchain block to prove; default: the newest block of the server. */
  readonly target?: BlockId | undefined;
  /** Ends the queries. */
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
 * @throws LiteError of kind "proof" if the server does not prove the block, "unsupported" for a form that this version does not know, and
 * those of the connection.
 * @throws The reason of the signal, when it aborts.
 *
 * @example
 * ```ts
 * import { followBlockProof } from "@chain-query/lite-client";
 * import { connect } from "@chain-query/lite-protocol/adnl";
 *
 * const connection = await connect({ host: "127.0.0.1", port: 4443, publicKey });
 * const { block, keyBlock } = await followBlockProof(connection, trusted, { signal: AbortSignal.timeout(60_000) });
 * connection.close();
 * ```
 */
export function followBlockProof(
  connection: Pick<Connection, "query">,
  trusted: BlockId,
  { target, signal, onProgress }: FollowOptions,
): Promise<VerifiedBlockProof> {
  const ask: AskForProof = async ({ query, check }) => check(query.read(await connection.query(query.bytes, signal)));
  return follow(ask, trusted, target, onProgress);
}

/** A query for a proof, with the verification of its answer. */
interface ProofQuery<Result> {
  readonly query: LiteQuery<LiteAnswer<"getBlockProof">>;
  readonly check: (answer: LiteAnswer<"getBlockProof">) => Result;
}

/** Sends a query, and verifies its answer. */
export type AskForProof = <Result>(read: ProofQuery<Result>) => Promise<Result>;

/** As `followBlockProof`, with other ways to ask a server. */
export async function follow(
  ask: AskForProof,
  trusted: BlockId,
  target: BlockId | undefined,
  onProgress?: FollowOptions["onProgress"],
): Promise<VerifiedBlockProof> {
  let at: VerifiedBlockProof = { block: trusted, signatures: 0 };
  let isComplete = false;
  while (!isComplete && !(target && isSameBlock(at.block, target))) {
    const from = at.block;
    const query = queries.getBlockProof(
      target ? { mode: 1, knownBlock: from, targetBlock: target } : { mode: 0, knownBlock: from },
    );
    const next = await ask({ query, check: (proof) => verifyNext(from, target, proof) });
    at = joined(at, next.verified);
    isComplete = next.isComplete;
    onProgress?.(at);
  }
  return at;
}

function verifyNext(
  from: BlockId,
  target: BlockId | undefined,
  proof: LiteAnswer<"getBlockProof">,
): { readonly verified: VerifiedBlockProof; readonly isComplete: boolean } {
  const verified = verifyBlockProof(from, proof);
  const isComplete = proof.complete && !target;
  // The links to an earlier target lead to the next key block first, and from there back in a single link.
  const isBeyond = target !== undefined && from.seqno >= target.seqno;
  const hasEnded = proof.complete || isBeyond || verified.block.seqno <= from.seqno;
  if (!isComplete && hasEnded && !(target && isSameBlock(verified.block, target))) {
    const expected = target ? formatBlock(target) : "a later block";
    throw unproven(`the proof from ${formatBlock(from)} must lead to ${expected}, but ends at ${formatBlock(verified.block)}`);
  }
  return { verified, isComplete };
}

/** The result of two proofs, one after the other. */
function joined(first: VerifiedBlockProof, second: VerifiedBlockProof): VerifiedBlockProof {
  const isNewer = (second.keyBlock?.seqno ?? -1) >= (first.keyBlock?.seqno ?? -1);
  const keyBlock = isNewer ? second.keyBlock : first.keyBlock;
  return { block: second.block, ...(keyBlock && { keyBlock }), signatures: first.signatures + second.signatures };
}
