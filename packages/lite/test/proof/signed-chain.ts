/** A chain of masterchain blocks that validators with keys from a seed have signed, and the links between its blocks. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { assembleBlock, readBlockConfig, readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, CellBuilder, createMerkleProof, writeBoc } from "@chain-query/format/cells";
import { Trie, type TrieFormat, UNAUGMENTED, uint32Key } from "@chain-query/format/dictionaries";
import type { BlockId } from "@chain-query/format/identifiers";
import { encodeState, encodeZeroState, lookUpPastBlock, readMasterchainParts } from "@chain-query/format/states";
import { selectMasterchainValidators } from "@chain-query/format/validator-groups";
import { encodeValidatorSet, type Validator, type ValidatorGroup } from "@chain-query/format/validators";
import { blockSignatures } from "../../src/answers/signing-chain.ts";
import type { LiteAnswer, LiteSignatureSet } from "../../src/wire/tl/scheme.ts";
import { MASTER, zeroState } from "./sample-chain.ts";

export type Form = "ordinary" | "simplex";
type Answer = LiteAnswer<"getBlockProof">;
export type Link = Answer["steps"][number];
export type ForwardLink = Extract<Link, { type: "blockLinkForward" }>;

/** The private keys of all validators, by the public key in hexadecimal digits. */
const keys = new Map<string, KeyObject>();

/** A validator whose key is its number. */
export function validator(number: number, weight = 1n): Validator {
  const seed = Buffer.alloc(32, number);
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  keys.set(publicKey.toString("hex"), key);
  return { publicKey, weight, adnlAddress: Buffer.alloc(32, number) };
}

const PARAMETERS: TrieFormat<Cell, undefined> = {
  width: 32,
  augmentation: UNAUGMENTED,
  extraOf: () => undefined,
  writeValue: (builder, value) => void builder.ref(value),
};

/** TL-B Hashmap 32 ^Cell. */
export function configOf(parameters: Readonly<Record<number, Cell>>): Cell {
  const entries = Object.entries(parameters).map(([id, value]) => [uint32Key(Number(id)), value] as const);
  return Trie.from(PARAMETERS, entries).rootCell() as Cell;
}

export function setOf(validators: readonly Validator[], main: number = validators.length): Cell {
  return encodeValidatorSet({ since: 1_770_000_000, until: 1_770_001_000, main, validators });
}

/** TL-B `catchain_config_new#c2`. */
export function catchainConfig(isShuffled: boolean): Cell {
  return new CellBuilder()
    .uint(0xc2, 8)
    .uint(0, 7)
    .bit(isShuffled)
    .uint(250, 32)
    .uint(250, 32)
    .uint(1000, 32)
    .uint(7, 32)
    .cell();
}

export interface SignedBlock {
  readonly id: BlockId;
  /** Undefined for the zero state. */
  readonly root: Cell | undefined;
  readonly state: Cell;
  /** The validators that sign it. */
  readonly group: ValidatorGroup;
}

/**
 * Makes a chain that begins with the configuration 0. The block with the number of another configuration is a key block, which sets it.
 *
 * @param listHash - The hash of validators in the headers; by default that of the validators that sign.
 * @returns The zero state and the blocks, by number.
 */
export function signedChain(length: number, configs: Readonly<Record<number, Cell>>, listHash?: number): SignedBlock[] {
  const zero = zeroState(MASTER, []);
  let config = configs[0] as Cell;
  let state = { ...zero, ...(zero.masterchain && { masterchain: { ...zero.masterchain, config } }) };
  const { id } = encodeZeroState(state);
  let previous = { ...id, endLt: 0n };
  const blocks: SignedBlock[] = [
    { id, root: undefined, state: encodeState(state), group: { catchainSeqno: 0, validators: [], listHash: 0 } },
  ];
  for (let seqno = 1; seqno <= length; seqno++) {
    const group = selectMasterchainValidators(config, 100 + seqno);
    const validators = { ...group, listHash: listHash ?? group.listHash };
    const next = configs[seqno];
    const times = { startLt: BigInt(seqno * 1000), endLt: BigInt(seqno * 1000 + 9), time: state.time };
    const made = {
      before: state,
      previous,
      ...times,
      randomSeed: new Uint8Array(32),
      transactions: [],
      shards: [],
      validators,
    };
    const block = assembleBlock(next ? { ...made, config: next } : made);
    blocks.push({ id: block.id, root: block.root, state: encodeState(block.state), group });
    state = block.state as typeof state;
    previous = { ...block.id, endLt: block.ref.endLt };
    config = next ?? config;
  }
  return blocks;
}

const sessionId = Buffer.alloc(32, 0x5e);

/** The signatures of validators, of all that sign the block by default. */
export function signatures(
  { id, group }: Pick<SignedBlock, "id" | "group">,
  form: Form,
  validators: readonly Validator[] = group.validators,
): LiteSignatureSet {
  const keyOf = ({ publicKey }: Validator) => keys.get(Buffer.from(publicKey).toString("hex")) as KeyObject;
  const signers = {
    ...{ group: { ...group, validators }, form, sessionId },
    sign: (validator: Validator, message: Uint8Array) => sign(null, message, keyOf(validator)),
  };
  return blockSignatures({ signers: () => signers }, id) as LiteSignatureSet;
}

const proofOf = (root: Cell, read: (root: Cell) => unknown) => writeBoc(createMerkleProof(root, (cell) => void read(cell)));
const headerOf = ({ root }: SignedBlock) => (root ? proofOf(root, readBlockHeader) : new Uint8Array());
const isKey = ({ root }: SignedBlock) => (root ? readBlockHeader(root).isKey : true);

export function forwardLink(from: SignedBlock, to: SignedBlock, form: Form = "simplex"): ForwardLink {
  const { catchainSeqno } = to.group;
  const configProof = from.root
    ? proofOf(from.root, (root) => {
        readBlockHeader(root);
        const config = readBlockConfig(root);
        if (config) selectMasterchainValidators(config, catchainSeqno);
      })
    : proofOf(from.state, (state) => selectMasterchainValidators(readMasterchainParts(state).config, catchainSeqno));
  const proofs = { destProof: headerOf(to), configProof };
  return {
    type: "blockLinkForward",
    toKeyBlock: isKey(to),
    from: from.id,
    to: to.id,
    ...proofs,
    signatures: signatures(to, form),
  };
}

export function backLink(from: SignedBlock, to: SignedBlock): Link {
  const proofs = {
    destProof: headerOf(to),
    proof: proofOf(from.root as Cell, (root) => readBlockHeader(root).readStateHashes()),
    stateProof: proofOf(from.state, (state) => lookUpPastBlock(state, to.id.seqno)),
  };
  return { type: "blockLinkBack", toKeyBlock: isKey(to), from: from.id, to: to.id, ...proofs };
}

export function proofWith(...steps: readonly [Link, ...Link[]]): Answer {
  return { complete: true, from: steps[0].from, to: (steps.at(-1) ?? steps[0]).to, steps };
}
