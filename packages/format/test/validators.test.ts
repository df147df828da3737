import { describe, expect, test } from "vitest";
import {
  type Cell,
  CellBuilder,
  CellError,
  createMerkleProof,
  hex,
  openMerkleProof,
  PrunedCellError,
} from "../src/cells/index.ts";
import { lookUp, plainFormat, Trie, uint32Key } from "../src/dictionaries/index.ts";
import { selectMasterchainValidators } from "../src/validator-groups.ts";
import { encodeValidatorSet, readValidatorSet, type Validator, type ValidatorSet } from "../src/validators.ts";

const format = (width: number) =>
  plainFormat<Cell>(width, (builder, value) => (width === 32 ? builder.ref(value) : builder.append(value)));

const validators: readonly Validator[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => ({
  publicKey: new Uint8Array(32).fill(number),
  weight: 2n ** 58n + BigInt(number),
  adnlAddress: new Uint8Array(32).fill(0xa0 + number),
}));
const set: ValidatorSet = { since: 1_770_000_000, until: 1_770_065_536, main: 7, validators };

/** TL-B Hashmap 32 ^Cell. */
const configOf = (parameters: Readonly<Record<number, Cell>>) =>
  Trie.from(
    format(32),
    Object.entries(parameters).map(([id, value]) => [uint32Key(Number(id)), value] as const),
  ).rootCell() as Cell;

const catchain = (tag: number, isShuffled: boolean) =>
  new CellBuilder().uint(tag, 8).uint(0, 7).bit(isShuffled).bigUint(0n, 128).cell();

describe("a set of validators", () => {
  test("is read as it was written", () => {
    expect(readValidatorSet(encodeValidatorSet(set))).toEqual(set);
  });

  const described = ({ publicKey, weight }: Validator) =>
    new CellBuilder().uint(0x53, 8).uint(0x8e81278a, 32).bytes(publicKey).bigUint(weight, 64).cell();
  const plain = (cells: readonly Cell[], total = cells.length, main = 1, first = 0) => {
    const entries = cells.map((cell, index) => [Uint8Array.of(0, index + first), cell] as const);
    const head = new CellBuilder().uint(0x11, 8).uint(1, 32).uint(2, 32).uint(total, 16).uint(main, 16);
    return head.append(Trie.from(format(16), entries).rootCell() as Cell).cell();
  };
  const three = validators.slice(0, 3).map(described);

  test("is read in the form without weight and addresses", () => {
    const expected = validators.slice(0, 3).map((validator) => ({ ...validator, adnlAddress: new Uint8Array(32) }));
    expect(readValidatorSet(plain(three))).toEqual({ since: 1, until: 2, main: 1, validators: expected });
  });

  test.each([
    ["fewer validators than it declares", plain(three, 4), "a set of 4 validators, 1 of them main ones, has 3"],
    ["more main validators than validators", plain(three, 3, 4), "4 of them main ones"],
    ["no main validator", plain(three, 3, 0), "0 of them main ones"],
    ["numbers that begin at 1", plain(three, 3, 1, 1), "validator 0 has another number"],
    ["a validator without weight", plain([described({ ...(validators[0] as Validator), weight: 0n })]), "or no weight"],
    ["another weight than it declares", encodeValidatorSet({ ...set, main: 1, validators: [] }), "a set of 0 validators"],
  ])("with %s is refused", (_, cell, message) => {
    expect(() => readValidatorSet(cell)).toThrow(CellError);
    expect(() => readValidatorSet(cell)).toThrow(message);
  });

  test("with another weight than its validators is refused", () => {
    const cell = encodeValidatorSet(set);
    const bytes = Uint8Array.from(cell.bytes);
    bytes[20] = (bytes[20] as number) ^ 1;
    const changed = new CellBuilder()
      .bitsOf(bytes, 0, cell.bitLength)
      .ref(cell.refs[0] as Cell)
      .cell();
    expect(() => readValidatorSet(changed)).toThrow("but their set declares");
  });
});

describe("the validators of a masterchain block", () => {
  const numbers = (config: Cell, catchainSeqno = 5) =>
    selectMasterchainValidators(config, catchainSeqno).validators.map(({ publicKey }) => publicKey[0]);

  test("are read from a proof that leaves out the others", () => {
    const config = configOf({ 28: catchain(0xc2, true), 34: encodeValidatorSet(set) });
    const proof = createMerkleProof(config, (root) => void selectMasterchainValidators(root, 5));
    const shown = openMerkleProof(proof, config.hash);
    expect(selectMasterchainValidators(shown, 5)).toEqual(selectMasterchainValidators(config, 5));
    const current = lookUp(shown, uint32Key(34), 32)?.ref() ?? expect.unreachable();
    expect(() => readValidatorSet(current)).toThrow(PrunedCellError);
  });

  test("are the main ones in their own order, unless the configuration shuffles them", () => {
    const current = encodeValidatorSet(set);
    const inOrder = [1, 2, 3, 4, 5, 6, 7];
    expect(numbers(configOf({ 34: current }))).toEqual(inOrder);
    expect(numbers(configOf({ 28: catchain(0xc2, false), 34: current }))).toEqual(inOrder);
    expect(numbers(configOf({ 28: catchain(0xc1, true), 34: current }))).toEqual(inOrder);
    expect(numbers(configOf({ 28: catchain(0xc2, true), 34: current })).toSorted()).toEqual(inOrder);
  });

  test("are shuffled by the number of their catchain, and named by a hash", () => {
    const config = configOf({ 28: catchain(0xc2, true), 34: encodeValidatorSet(set) });
    // The same code gives the order and the hash in recorded blocks of mainnet.
    expect(numbers(config, 806_105)).toEqual([7, 2, 1, 5, 6, 3, 4]);
    expect(hex(uint32Key(selectMasterchainValidators(config, 806_105).listHash))).toBe("7750c400");
    expect(selectMasterchainValidators(config, 806_106).listHash).not.toBe(
      selectMasterchainValidators(config, 806_105).listHash,
    );
  });

  test("are those of parameter 35 while it exists, never those of 32 and 36", () => {
    const others = encodeValidatorSet({ ...set, main: 2, validators: validators.slice(7) });
    expect(numbers(configOf({ 34: encodeValidatorSet(set), 35: others }))).toEqual([8, 9]);
    expect(numbers(configOf({ 32: others, 34: encodeValidatorSet(set), 36: others }))).toHaveLength(7);
    expect(() => numbers(configOf({ 32: others, 36: others }))).toThrow("neither parameter 35 nor 34");
  });
});
