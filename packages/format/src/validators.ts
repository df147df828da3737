/** The validators that the configuration of a network names, and the group of them that signs a masterchain block. */
import { crc32c, isEqual } from "./cells/bytes.ts";
import type { Cell } from "./cells/cell.ts";
import { CellBuilder } from "./cells/cell-builder.ts";
import { CellError, CellReader, readTag } from "./cells/cell-reader.ts";
import { type Entry, lookUp, readEntries, uint32Key } from "./dictionaries/hashmap.ts";
import { plainFormat, Trie } from "./dictionaries/trie.ts";

/** A validator. */
export interface Validator {
  /** Its Ed25519 key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Its share in decisions, above 0. */
  readonly weight: bigint;
  /** Its address in the overlay network, 32 bytes; zeros if it has the address of its key. */
  readonly adnlAddress: Uint8Array;
}

/** A value of the configuration parameters 32 to 37: the validators of a period. */
export interface ValidatorSet {
  /** Unix seconds. Blocks outside of the period may be signed by these validators, too. */
  readonly since: number;
  readonly until: number;
  /** Number of validators, from the first one on, that may sign masterchain blocks. */
  readonly main: number;
  readonly validators: readonly Validator[];
}

/** The validators that sign the masterchain's blocks of a catchain. */
export interface ValidatorGroup {
  readonly catchainSeqno: number;
  /** In the order of the group. */
  readonly validators: readonly Validator[];
  /** As in `BlockHeader.validatorListHash`. */
  readonly listHash: number;
}

/** The validators that sign a masterchain block, with their keys. */
export interface BlockSigners {
  readonly group: ValidatorGroup;
  /** The form of their signatures. */
  readonly form: "ordinary" | "simplex";
  /** Of the Simplex form: 32 bytes. */
  readonly sessionId: Uint8Array;
  /** An Ed25519 signature of a validator of the group. */
  sign(validator: Validator, message: Uint8Array): Uint8Array;
}

const PLAIN_SET = 0x11;
const SET_WITH_WEIGHT = 0x12;
const PLAIN_VALIDATOR = 0x53;
const VALIDATOR_WITH_ADDRESS = 0x73;
const ED25519_KEY = 0x8e81278a;

const VALIDATORS = /* @__PURE__ */ plainFormat<Validator>(16, (builder, { publicKey, weight, adnlAddress }) =>
  builder.uint(VALIDATOR_WITH_ADDRESS, 8).uint(ED25519_KEY, 32).bytes(publicKey).bigUint(weight, 64).bytes(adnlAddress),
);

/**
 * Writes a set of validators.
 *
 * TL-B `validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) total_weight:uint64
 * list:(HashmapE 16 ValidatorDescr) = ValidatorSet`, `validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 =
 * ValidatorDescr`, `ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey`.
 */
export function encodeValidatorSet({ since, until, main, validators }: ValidatorSet): Cell {
  const list = Trie.from(
    VALIDATORS,
    validators.map((validator, index) => [indexKey(index), validator] as const),
  );
  const builder = new CellBuilder().uint(SET_WITH_WEIGHT, 8).uint(since, 32).uint(until, 32);
  builder.uint(validators.length, 16).uint(main, 16).bigUint(totalWeight(validators), 64);
  return builder.maybeRef(list.rootCell()).cell();
}

/**
 * Reads a set of validators, see `encodeValidatorSet`, also in the forms without weight and address: TL-B `validators#11
 * utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) list:(Hashmap 16 ValidatorDescr) = ValidatorSet`,
 * `validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr`.
 *
 * @throws CellError if it is not such a set: validators are numbered from 0 on, have a weight, and weigh what the set declares.
 *
 * @example
 * const current = lookUp(config, uint32Key(34), 32);
 * if (current) console.log(readValidatorSet(current.ref()).main);
 */
export function readValidatorSet(cell: Cell): ValidatorSet {
  const { since, until, total, main, declared, root } = openValidatorSet(cell);
  const validators = root ? Array.from(readEntries(root, 16), readValidator) : [];
  if (validators.length !== total)
    throw new CellError(`a set of ${total} validators, ${main} of them main ones, has ${validators.length}`);
  const weight = totalWeight(validators);
  if (weight !== (declared ?? weight)) throw new CellError(`validators weigh ${weight}, but their set declares ${declared}`);
  return { since, until, main, validators };
}

/** Reads the main validators of a set, and touches no other ones: they sign no masterchain block, so a proof may leave them out. */
function readMainValidators(cell: Cell): readonly Validator[] {
  const { main, root } = openValidatorSet(cell);
  const validators: Validator[] = [];
  for (const entry of root ? readEntries(root, 16) : []) {
    if (validators.push(readValidator(entry, validators.length)) === main) return validators;
  }
  throw new CellError(`a set with ${main} main validators has ${validators.length}`);
}

/** The numbers of a set, and the root of its dictionary. */
function openValidatorSet(cell: Cell) {
  const reader = new CellReader(cell);
  const tag = readTag(reader, 8, "ValidatorSet", PLAIN_SET, SET_WITH_WEIGHT);
  const [since, until, total, main] = [reader.uint(32), reader.uint(32), reader.uint(16), reader.uint(16)];
  if (main < 1 || main > total) throw new CellError(`a set of ${total} validators, ${main} of them main ones`);
  const declared = tag === SET_WITH_WEIGHT ? reader.bigUint(64) : undefined;
  return { since, until, total, main, declared, root: declared === undefined ? reader.rest() : reader.maybeRef() };
}

function readValidator({ key, leaf }: Entry, index: number): Validator {
  const tag = readTag(leaf, 8, "ValidatorDescr", PLAIN_VALIDATOR, VALIDATOR_WITH_ADDRESS);
  readTag(leaf, 32, "SigPubKey", ED25519_KEY);
  const publicKey = leaf.bytes(32);
  const weight = leaf.bigUint(64);
  if (!isEqual(key, indexKey(index)) || weight === 0n) {
    throw new CellError(`validator ${index} has another number, or no weight`);
  }
  return { publicKey, weight, adnlAddress: tag === PLAIN_VALIDATOR ? new Uint8Array(32) : leaf.bytes(32) };
}

/** The sum of the weights. */
export function totalWeight(validators: readonly Validator[]): bigint {
  return validators.reduce((sum, { weight }) => sum + weight, 0n);
}

/** A computation that yields bytes to hash, and expects their SHA-512. In browsers WebCrypto makes it, whose functions are asynchronous. */
export type Hashing<Result> = Generator<Uint8Array, Result, Uint8Array>;

/**
 * Selects the validators that sign the masterchain's blocks of a catchain: the main ones of parameter 35, or else 34, in the order
 * that parameter 28 decides. The configuration is the one of the last key block before, or of the zero state. Parameters 32 and 36, the
 * validators before and after, decide nothing.
 *
 * TL-B `catchain_config_new#c2 flags:(## 7) shuffle_mc_validators:Bool …`, `catchain_config#c1 …`, which does not shuffle. The rules are
 * those of `Config::unpack` and `Config::do_compute_validator_set` of the reference node.
 *
 * @param config - Root of the configuration's dictionary; may be from a proof that shows these parameters.
 * @throws CellError if there are no validators, or in another form.
 *
 * @example
 * const hashing = masterchainValidators(config, catchainSeqno);
 * let step = hashing.next();
 * while (!step.done) step = hashing.next(new Uint8Array(await crypto.subtle.digest("SHA-512", step.value)));
 * console.log(step.value.validators);
 */
export function* masterchainValidators(config: Cell, catchainSeqno: number): Hashing<ValidatorGroup> {
  const parameter = (id: number) => lookUp(config, uint32Key(id), 32)?.ref();
  const current = parameter(35) ?? parameter(34);
  if (!current) throw new CellError("the configuration has no validators: neither parameter 35 nor 34");
  const first = readMainValidators(current);
  const order = isShuffled(parameter(28)) ? yield* shuffledIndices(first.length, catchainSeqno) : first.keys();
  const selected = Array.from(order, (index) => first[index] as Validator);
  return { catchainSeqno, validators: selected, listHash: hashValidatorList(selected, catchainSeqno) };
}

function isShuffled(catchainConfig: Cell | undefined): boolean {
  if (!catchainConfig) return false;
  const reader = new CellReader(catchainConfig);
  const tag = readTag(reader, 8, "CatchainConfig", 0xc1, 0xc2);
  if (tag === 0xc1) return false;
  readTag(reader, 7, "flags of CatchainConfig", 0);
  return reader.bit();
}

/** A random order that depends on the catchain alone: each index changes places with a random one up to itself. */
function* shuffledIndices(count: number, catchainSeqno: number): Hashing<number[]> {
  const indices: number[] = [];
  const input = new DataView(new ArrayBuffer(48));
  input.setBigUint64(32, 1n << 63n);
  input.setInt32(40, -1);
  input.setUint32(44, catchainSeqno);
  let random: DataView = input;
  for (let i = 0; i < count; i++) {
    if (i % 8 === 0) {
      // 32 bytes that count from 0 on, the masterchain's shard and workchain, and the catchain's number.
      input.setUint32(28, i / 8);
      const digest = yield new Uint8Array(input.buffer);
      random = new DataView(digest.buffer, digest.byteOffset);
    }
    const j = Number((random.getBigUint64(8 * (i % 8)) * BigInt(i + 1)) >> 64n);
    indices[i] = indices[j] ?? i;
    indices[j] = i;
  }
  return indices;
}

/** CRC-32C of the TL object `test0.validatorSet#901660ed`: the catchain's number, then key, weight and address of each validator. */
function hashValidatorList(validators: readonly Validator[], catchainSeqno: number): number {
  const bytes = new Uint8Array(12 + 72 * validators.length);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of [0x901660ed, catchainSeqno, validators.length].entries()) view.setUint32(4 * i, value, true);
  for (const [index, { publicKey, weight, adnlAddress }] of validators.entries()) {
    const at = 12 + 72 * index;
    bytes.set(publicKey, at);
    view.setBigUint64(at + 32, weight, true);
    bytes.set(adnlAddress, at + 40);
  }
  return crc32c(bytes);
}

function indexKey(index: number): Uint8Array {
  return Uint8Array.of(index >> 8, index);
}
