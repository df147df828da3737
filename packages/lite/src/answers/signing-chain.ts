/** A chain in whose place this process signs: it has the keys of all validators, so that signatures are made when they are asked for. */
import type { Cell } from "@chain-query/format/cells";
import type { BlockId, BlockSelector, ShardId } from "@chain-query/format/identifiers";
import type { BlockSigners } from "@chain-query/format/validators";
import { signedBytes, writeCandidate } from "@chain-query/proof/signatures";
import { adnlKeyId } from "../wire/adnl/handshake.ts";
import type { LiteSignatureSet } from "../wire/tl/scheme.ts";
import type { LiteChain } from "./lite-chain.ts";

/** The chain, as `openChain` of `@chain-query/local-chain` gives it. A masterchain block can be read with all blocks that it names. */
export interface SigningChain {
  head(): { readonly block: { readonly id: BlockId } };
  /** The zero state of the masterchain. */
  genesis(): { readonly block: BlockId };
  block(shard: ShardId, selector: BlockSelector): { readonly id: BlockId } | undefined;
  blockData(id: BlockId): Uint8Array | undefined;
  state(id: BlockId): Cell | undefined;
  /** The validators of the masterchain block with this seqno. Undefined if the chain has none. */
  signers(seqno: number): BlockSigners | undefined;
}

/**
 * A chain for a lite server.
 *
 * @param chain - The caller closes it, after the lite server.
 *
 * @example
 * const chain = openChain("my-chain");
 * const server = await startLiteServer({ chain: liteChain(chain), key, host: "127.0.0.1", port: 4443 });
 */
export function liteChain(chain: SigningChain): LiteChain {
  return {
    head: () => chain.head().block.id,
    zeroState: () => chain.genesis().block,
    findBlock: (shard, selector) => chain.block(shard, selector)?.id,
    blockData: (id) => chain.blockData(id),
    state: (id) => chain.state(id),
    ...(chain.signers(1) && { signatures: (id) => blockSignatures(chain, id) }),
  };
}

/** The signatures of all validators of a masterchain block. Undefined if the chain has no validators. */
export function blockSignatures(chain: Pick<SigningChain, "signers">, id: BlockId): LiteSignatureSet | undefined {
  const signers = chain.signers(id.seqno);
  if (!signers) return undefined;
  const { group, form, sessionId, sign } = signers;
  const vote = { sessionId, slot: id.seqno, candidate: writeCandidate(id) };
  const message = form === "simplex" ? signedBytes(id, vote) : signedBytes(id);
  const signatures = group.validators.map((validator) => ({
    nodeIdShort: adnlKeyId(validator.publicKey),
    signature: sign(validator, message),
  }));
  const [catchainSeqno, validatorSetHash] = [group.catchainSeqno, group.listHash | 0];
  if (form === "ordinary") return { type: "signatureSet.ordinary", validatorSetHash, catchainSeqno, signatures };
  return { type: "signatureSet.simplex", ccSeqno: catchainSeqno, validatorSetHash, signatures, ...vote };
}
