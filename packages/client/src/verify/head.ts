/** Masterchain blocks that validators have signed. */
import { type BlockHeader, readBlockConfig, readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, hex, isEqual, openMerkleProof, sha256 } from "@chain-query/format/cells";
import { type BlockId, isSameBlock, MASTERCHAIN, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import { readMasterchainParts } from "@chain-query/format/states";
import { selectMasterchainValidators, totalWeight, type Validator } from "@chain-query/format/validators";
import { isSignature } from "./ed25519.ts";
import { checked, ensure } from "./proof-error.ts";
import { bytesOf, integerOf, objectOf, rootOf, type Untrusted } from "./untrusted.ts";

/** A block whose root hash is proved, with the parts of its header that proofs need. */
export interface ProvedBlock {
  readonly id: BlockId;
  readonly header: BlockHeader;
}

/** A block whose header shows the hash of the state after it. */
export interface ProvedStateBlock extends ProvedBlock {
  readonly stateHash: Uint8Array;
}

/** Opens the proof of a block's header. */
export function openHeader(id: BlockId, root: Cell): ProvedBlock {
  const header = readBlockHeader(openMerkleProof(root, id.rootHash));
  const { workchain, shard, seqno } = header;
  ensure(isSameBlock({ ...id, workchain, shard, seqno }, id), "block", `the header of block ${id.seqno} is one of another block`);
  return { id, header };
}

/** Opens the proof of a block's header with the hash of the state after it. */
export function openStateHeader(id: BlockId, root: Cell): ProvedStateBlock {
  const block = openHeader(id, root);
  return { ...block, stateHash: block.header.readStateHashes().newHash };
}

/** A head as a service describes it. Only its header is checked, against its own root hash. */
export interface ClaimedHead extends ProvedStateBlock {
  /** The member `head` of a proof. */
  readonly claim: Untrusted;
}

export function readHead(value: unknown, path: string): ClaimedHead {
  return checked("head", () => {
    const claim = objectOf(value, path);
    const id = objectOf(claim["block_id"], `${path}.block_id`);
    const [rootHash, fileHash] = [bytesOf(id["root_hash"], path, 32), bytesOf(id["file_hash"], path, 32)];
    const block: BlockId = { ...MASTERCHAIN, seqno: integerOf(id["seqno"], path), rootHash, fileHash };
    const isMaster = id["workchain"] === -1 && id["shard"] === String(WHOLE_WORKCHAIN);
    ensure(isMaster, "head", "the head must be a block of the masterchain", path);
    return { ...openStateHeader(block, rootOf(claim["header"], `${path}.header`)), claim };
  });
}

/** The configuration that a key block sets, or that the zero state has, from a proof. */
export function openConfig(keyBlock: BlockId, proof: unknown, path: string): Cell {
  return checked("block", () => {
    const root = openMerkleProof(rootOf(proof, path), keyBlock.rootHash);
    const config = keyBlock.seqno === 0 ? readMasterchainParts(root).config : readBlockConfig(root);
    ensure(config !== undefined, "block", `block ${keyBlock.seqno} is no key block`, path);
    return config;
  });
}

/** Signatures of a block at most: mainnet has up to 100 validators of the masterchain. */
const MAX_SIGNATURES = 128;

/** Checks that the validators of a configuration signed a head: more than two thirds of their weight, each at most once. */
export async function requireSignatures({ id, header, claim }: ClaimedHead, config: Cell): Promise<void> {
  const { signatures, signers, message, total } = checked("signatures", () => {
    const group = selectMasterchainValidators(config, header.catchainSeqno);
    const isGroup = group.listHash === header.validatorListHash;
    ensure(isGroup, "signatures", `block ${id.seqno} names other validators than its key block`);
    return {
      signatures: bytesOf(claim["signatures"], "proof.head.signatures"),
      signers: signersOf(group.validators, bytesOf(claim["signers"], "proof.head.signers")),
      message: signedBytes(id, claim),
      total: totalWeight(group.validators),
    };
  });
  const count = signers.length;
  ensure(count <= MAX_SIGNATURES, "limit", `expected at most ${MAX_SIGNATURES} signatures, got ${count}`);
  ensure(signatures.length === 64 * count, "signatures", `expected ${count} signatures, got ${signatures.length} bytes`);
  const weight = totalWeight(signers);
  ensure(3n * weight > 2n * total, "signatures", `block ${id.seqno} is signed by ${weight} of ${total}, expected more than two thirds`);
  const valid = await Promise.all(
    signers.map(({ publicKey }, i) => isSignature(signatures.slice(64 * i, 64 * i + 64), message, publicKey)),
  );
  const wrong = signers[valid.indexOf(false)];
  ensure(!wrong, "signatures", `the signature of block ${id.seqno} by validator ${hex(wrong?.publicKey)} is invalid`);
}

/** The validators with a bit in the map, each once. */
function signersOf(validators: readonly Validator[], bits: Uint8Array): readonly Validator[] {
  const { length } = validators;
  ensure(bits.length === Math.ceil(length / 8), "signatures", `expected a bit for each of ${length} validators`);
  const isSet = (i: number) => (((bits[i >> 3] as number) << (i & 7)) & 0x80) !== 0;
  for (let i = length; i < 8 * bits.length; i++) ensure(!isSet(i), "signatures", `there is no validator ${i}`);
  const signers = validators.filter((_, i) => isSet(i));
  const keys = new Set(signers.map(({ publicKey }) => hex(publicKey)));
  ensure(keys.size === signers.length, "signatures", "two signers have the same key");
  return signers;
}

const CANDIDATE = 0xe8f9bcdc;
const EMPTY_CANDIDATE = 0x72b4d933;

/** The bytes that validators signed: the block's id or, in the Simplex form, the final vote on a candidate that names the block. */
function signedBytes(id: BlockId, { session, slot, candidate }: Untrusted): Uint8Array {
  if (session === undefined && slot === undefined && candidate === undefined) {
    return concat(uint32s(0xc50b6e70), id.rootHash, id.fileHash);
  }
  const named = bytesOf(candidate, "proof.head.candidate");
  const view = new DataView(named.buffer);
  const tag = view.getUint32(0, true);
  ensure(tag === CANDIDATE || tag === EMPTY_CANDIDATE, "unsupported", `a candidate of the form ${tag.toString(16)}`);
  const isNamed =
    view.getInt32(4, true) === id.workchain &&
    view.getBigInt64(8, true) === id.shard &&
    view.getUint32(16, true) === id.seqno &&
    isEqual(named.subarray(20, 52), id.rootHash) &&
    isEqual(named.subarray(52, 84), id.fileHash);
  ensure(isNamed, "signatures", `the candidate must be block ${id.seqno}, got another one`);
  const vote = concat(uint32s(0x40a7e105, 0xb691cd3f, integerOf(slot, "proof.head.slot")), sha256(named));
  // TL bytes: a byte with the length, and zeros up to a multiple of four.
  return concat(uint32s(0xa8e33df8), bytesOf(session, "proof.head.session", 32), Uint8Array.of(vote.length), vote, new Uint8Array(3));
}

function uint32s(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value, true);
  return new Uint8Array(view.buffer);
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
