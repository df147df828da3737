/** The validators of a chain. Their keys follow from the seed, so that their signatures can be made at any time. */
import { type Cell, CellBuilder, hex } from "@chain-query/format/cells";
import { selectMasterchainValidators } from "@chain-query/format/validator-groups";
import { type BlockSigners, encodeValidatorSet, type Validator } from "@chain-query/format/validators";
import { type Owner, owner } from "../contracts/contract.ts";
import { seededBytes } from "../random.ts";
import { parameterDictionary } from "./configuration.ts";
import type { ChainOptions } from "./options.ts";

/** A validator with its private key. */
interface Signer extends Validator, Owner {
  readonly number: number;
}

type ValidatorOptions = Pick<ChainOptions, "seed" | "startTime" | "validators" | "consensus" | "keyBlocks" | "blockInterval">;

/** Key and weight of a validator. The weights differ, so that a majority of the signers need not be one of the weight. */
function signer(seed: bigint, number: number): Signer {
  return {
    ...owner(seededBytes(seed, "validator", number)),
    number,
    weight: BigInt(1 + (number % 2)),
    adnlAddress: seededBytes(seed, "validator address", number),
  };
}

/**
 * The validators after a number of key blocks: each key block replaces the first half of them.
 *
 * @param known - Some of the validators, whose keys are not made again.
 */
function signersAfter(
  { seed, validators: count }: ValidatorOptions,
  keyBlocks: number,
  known: readonly Signer[] = [],
): Signer[] {
  const first = keyBlocks * Math.ceil(count / 2);
  const byNumber = new Map(known.map((one) => [one.number, one]));
  return Array.from({ length: count }, (_, index) => byNumber.get(first + index) ?? signer(seed, first + index));
}

/** The parameters 28 and 34 of the configuration after a number of key blocks; none without validators. */
export function validatorParameters(
  options: ValidatorOptions,
  keyBlocks: number,
  validators: readonly Validator[] = signersAfter(options, keyBlocks),
): readonly (readonly [number, Cell])[] {
  if (validators.length === 0) return [];
  const period = options.keyBlocks === "none" ? 0 : Math.ceil(options.keyBlocks * options.blockInterval);
  const since = options.startTime + keyBlocks * period;
  const set = { since, until: since + period, main: validators.length, validators };
  return [
    [28, catchainConfig()],
    [34, encodeValidatorSet(set)],
  ];
}

/** TL-B `catchain_config_new#c2`: the validators are shuffled. Lifetimes do not matter, since a catchain ends with a key block. */
function catchainConfig(): Cell {
  const builder = new CellBuilder().uint(0xc2, 8).uint(0, 7).bit(true);
  for (const value of [250, 250, 1000, 7]) builder.uint(value, 32);
  return builder.cell();
}

/** Returns a function that selects the validators of a masterchain block by its seqno, and keeps those of the last catchain. */
export function blockSigners(options: ValidatorOptions): (seqno: number) => BlockSigners | undefined {
  let last: ReturnType<typeof signersOfCatchain> | undefined;
  return (seqno) => {
    if (options.validators === 0 || seqno < 1) return undefined;
    const keyBlocks = options.keyBlocks === "none" ? 0 : Math.floor((seqno - 1) / options.keyBlocks);
    if (last?.keyBlocks !== keyBlocks) last = signersOfCatchain(options, keyBlocks, last?.signers);
    return { ...last, form: formAt(options, seqno) };
  };
}

function formAt({ consensus }: ValidatorOptions, seqno: number): BlockSigners["form"] {
  if (typeof consensus !== "number") return consensus;
  return seqno < consensus ? "ordinary" : "simplex";
}

/** Each key block ends a catchain. */
function signersOfCatchain(options: ValidatorOptions, keyBlocks: number, known?: readonly Signer[]) {
  const signers = signersAfter(options, keyBlocks, known);
  const byKey = new Map(signers.map((one) => [hex(one.publicKey), one]));
  const parameters = validatorParameters(options, keyBlocks, signers);
  const group = selectMasterchainValidators(parameterDictionary(parameters), keyBlocks + 1);
  return {
    keyBlocks,
    signers,
    group,
    sessionId: seededBytes(options.seed, "session", keyBlocks),
    sign: ({ publicKey }: Validator, message: Uint8Array): Uint8Array => {
      const own = byKey.get(hex(publicKey));
      if (!own) throw new RangeError(`${hex(publicKey)} is not the key of a validator of this group`);
      return own.sign(message);
    },
  };
}
