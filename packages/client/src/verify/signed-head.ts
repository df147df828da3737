/** Masterchain blocks that validators have signed. */
import type { BlockHeader } from "@chain-query/format/blocks";
import type { Cell } from "@chain-query/format/cells";
import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import { openHeader, type ProvedStateBlock, provedStateBlock } from "@chain-query/proof/blocks";
import { countNeeded, signedBytes, signersOf } from "@chain-query/proof/signatures";
import type { Schemas } from "@chain-query/types";
import { bytesOf, rootOf } from "./bags.ts";
import { checked, ensure } from "./proof-error.ts";
import { isSignature, sha512 } from "./web-crypto.ts";

/** A head that a service claims. Only its header is checked, against the root hash that it claims. */
export interface ClaimedHead {
  readonly block: ProvedStateBlock;
  readonly header: BlockHeader;
  readonly claim: Schemas["ProofHead"];
}

/** @throws DOMException unless the hashes are base64. */
export function masterchainBlock(seqno: number, rootHash: string, fileHash: string): BlockId {
  return { ...MASTERCHAIN, seqno, rootHash: bytesOf(rootHash), fileHash: bytesOf(fileHash) };
}

export function readHead(claim: Schemas["ProofHead"]): ClaimedHead {
  return checked("head", () => {
    const { seqno, root_hash, file_hash } = claim.block_id;
    const id = masterchainBlock(seqno, root_hash, file_hash);
    const { header } = openHeader(id, rootOf(claim.header));
    return { block: provedStateBlock(id, header), header, claim };
  });
}

/** Signatures that are verified at most: mainnet has up to 100 validators of the masterchain. */
const MAX_SIGNATURES = 128;

/** Checks that the validators that a key block selects signed a head: more than two thirds of their weight, each counted once. */
export async function requireSignatures(
  { block: { id }, header, claim }: ClaimedHead,
  key: BlockId,
  config: Cell,
): Promise<void> {
  const hashing = signersOf(key, () => config, id, header);
  let step = checked("signatures", () => hashing.next());
  while (!step.done) {
    const digest = await sha512(step.value);
    step = checked("signatures", () => hashing.next(digest));
  }
  const group = step.value;
  const { signers, signatures, message } = checked("signatures", () => {
    const bits = bytesOf(claim.signers);
    const all = group.validators.filter((_, i) => ((bits[i >> 3] ?? 0) << (i & 7)) & 0x80);
    const { session, slot, candidate } = claim;
    const vote = session && candidate && { sessionId: bytesOf(session), slot: Number(slot), candidate: bytesOf(candidate) };
    return {
      signers: all.slice(0, countNeeded(id, group, all)),
      signatures: bytesOf(claim.signatures),
      message: signedBytes(id, vote || undefined),
    };
  });
  ensure(signers.length <= MAX_SIGNATURES, "limit", `more than ${MAX_SIGNATURES} signatures`);
  const valid = await Promise.all(
    signers.map(({ publicKey }, i) => isSignature(signatures.slice(64 * i, 64 * i + 64), message, publicKey)),
  );
  ensure(!valid.includes(false), "signatures", `an invalid signature of block ${id.seqno}`);
}
