/** Masterchain blocks that validators have signed. */
import type { BlockHeader } from "@chain-query/format/blocks";
import { type Cell, hex } from "@chain-query/format/cells";
import { type BlockId, MASTERCHAIN } from "@chain-query/format/identifiers";
import type { Validator, ValidatorGroup } from "@chain-query/format/validators";
import { openHeader, openStateHeader, type ProvedStateBlock } from "@chain-query/proof/blocks";
import { countNeeded, openConfig, type SimplexVote, signedBytes, signersOf } from "@chain-query/proof/signatures";
import { isSignature, sha512 } from "./web-crypto.ts";
import { checked, ensure } from "./proof-error.ts";
import { bytesOf, integerOf, objectOf, rootOf, type Untrusted } from "./untrusted.ts";

/** A head as a service describes it. Only its header is checked, against its own root hash. */
export interface ClaimedHead {
  readonly block: ProvedStateBlock;
  readonly header: BlockHeader;
  /** The member `head` of a proof. */
  readonly claim: Untrusted;
}

export function readHead(value: unknown, path: string): ClaimedHead {
  return checked("head", () => {
    const claim = objectOf(value, path);
    const named = objectOf(claim["block_id"], `${path}.block_id`);
    const [rootHash, fileHash] = [bytesOf(named["root_hash"], path, 32), bytesOf(named["file_hash"], path, 32)];
    // A header of another shard is refused by its proof.
    const id: BlockId = { ...MASTERCHAIN, seqno: integerOf(named["seqno"], path), rootHash, fileHash };
    const proof = rootOf(claim["header"], `${path}.header`);
    return { block: openStateHeader(id, proof), header: openHeader(id, proof).header, claim };
  });
}

/** Reads the configuration of a key block, or of the zero state, from a proof. */
export function readConfig(key: BlockId, proof: unknown, path: string): Cell {
  return checked("block", () => openConfig(key, rootOf(proof, path)));
}

/** Signatures of a block at most: mainnet has up to 100 validators of the masterchain. */
const MAX_SIGNATURES = 128;

/** Checks that the validators that a key block selects signed a head: more than two thirds of their weight, each at most once. */
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
    const signers = readSigners(group, bytesOf(claim["signers"], "proof.head.signers"));
    const signatures = bytesOf(claim["signatures"], "proof.head.signatures", 64 * signers.length);
    return { signers: signers.slice(0, countNeeded(id, group, signers)), signatures, message: signedBytes(id, voteOf(claim)) };
  });
  const valid = await Promise.all(
    signers.map(({ publicKey }, i) => isSignature(signatures.slice(64 * i, 64 * i + 64), message, publicKey)),
  );
  const wrong = signers[valid.indexOf(false)];
  ensure(!wrong, "signatures", `the signature of block ${id.seqno} by validator ${hex(wrong?.publicKey)} is invalid`);
}

/** The validators with a bit in the map. */
function readSigners({ validators }: ValidatorGroup, bits: Uint8Array): readonly Validator[] {
  const { length } = validators;
  const isSet = (i: number) => (((bits[i >> 3] ?? 0) << (i & 7)) & 0x80) !== 0;
  const isFull =
    bits.length === Math.ceil(length / 8) && !Array.from({ length: 7 }, (_, i) => isSet(length + i)).includes(true);
  ensure(isFull, "signatures", `expected a bit for each of ${length} validators`);
  const signers = validators.filter((_, i) => isSet(i));
  ensure(signers.length <= MAX_SIGNATURES, "limit", `expected at most ${MAX_SIGNATURES} signatures, got ${signers.length}`);
  const keys = new Set(signers.map(({ publicKey }) => hex(publicKey)));
  ensure(keys.size === signers.length, "signatures", "two signers have the same key");
  return signers;
}

/** Of the Simplex form; undefined for ordinary signatures. */
function voteOf({ session, slot, candidate }: Untrusted): SimplexVote | undefined {
  if (session === undefined && slot === undefined && candidate === undefined) return undefined;
  return {
    sessionId: bytesOf(session, "proof.head.session"),
    slot: integerOf(slot, "proof.head.slot"),
    candidate: bytesOf(candidate, "proof.head.candidate"),
  };
}
