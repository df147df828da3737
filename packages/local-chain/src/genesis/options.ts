import { OperationalError } from "@chain-query/format/error";

/** The options that a chain is made from. The same options give the same bytes, block for block. */
export interface ChainOptions {
  /** A whole number from 0 to 2^64 - 1. */
  readonly seed: bigint;
  /** Unix seconds of the zero state. */
  readonly startTime: number;
  /** Wallets in the basechain at genesis. */
  readonly accounts: number;
  /** Shards of the basechain: 1, 2, 4 or 8. */
  readonly shards: number;
  /** Seconds of chain time from one block to the next. Below 1, several blocks have the same time, which is in whole seconds. */
  readonly blockInterval: number;
  /** External messages that the traffic generates for each step. */
  readonly rate: number;
  /** Maximum number of transactions in a block; other messages wait in queues. */
  readonly transactionLimit: number;
  /** Seconds of chain time after which history is archival. */
  readonly retentionSeconds: number;
  /**
   * Wallets beside the wallets of genesis that the traffic does not use. With reserved wallets, the traffic also leaves the first
   * underfunded account alone.
   */
  readonly reserved: number;
  /** Percentage of the fees that the masterchain burns instead of collecting it. */
  readonly burnedFees: number;
  /** Percentage of the messages to accounts that send to outside, change their code, publish libraries, are deleted and made again. */
  readonly puppets: number;
  /**
   * Steps from one split or merge of shards to the next; "load" splits shards whose blocks are full and merges those that have little to do;
   * "none" keeps the shards of genesis.
   */
  readonly resharding: number | "load" | "none";
  /** Steps from one key block, which changes the configuration, to the next; "none" keeps the configuration of genesis. */
  readonly keyBlocks: number | "none";
  /** Validators that sign the masterchain's blocks. Each key block replaces half of them. 0: blocks have no signatures. */
  readonly validators: number;
  /** The form of the signatures; a number is the seqno of the first block with Simplex signatures. */
  readonly consensus: "ordinary" | "simplex" | number;
  /**
   * Seconds from the start for which the configuration suspends accounts: some wallets of genesis, and accounts that have none. Every second
   * key block ends it early, and the next one begins it again.
   */
  readonly suspended: number;
  /** Blocks of a shard in a step: "one", or "uneven": none to three, by the seed. */
  readonly shardBlocks: "one" | "uneven";
}

/** An invalid option of a new chain. The message is one line: the option, its value and the accepted values. */
export class ChainOptionError extends OperationalError {
  override readonly name = "ChainOptionError";
  override readonly isUserError = true;
}

export const chainOptionDefaults: Omit<ChainOptions, "seed" | "transactionLimit"> = {
  startTime: 1_767_225_600,
  accounts: 1_000,
  shards: 4,
  blockInterval: 5,
  rate: 20,
  retentionSeconds: 172_800,
  reserved: 0,
  burnedFees: 0,
  puppets: 0,
  resharding: "none",
  keyBlocks: "none",
  validators: 4,
  consensus: "simplex",
  suspended: 0,
  shardBlocks: "one",
};

/** Seconds from the announcement of a split or a merge to the window in which it happens, and its length. */
export function reshardingTimings({ blockInterval }: Pick<ChainOptions, "blockInterval">): {
  readonly delay: number;
  readonly interval: number;
} {
  return { delay: Math.max(1, blockInterval), interval: Math.ceil(100 * blockInterval) };
}

/** The time of a block after another one. */
export function nextBlockTime(
  { blockInterval }: Pick<ChainOptions, "blockInterval">,
  { seqno, time }: { readonly seqno: number; readonly time: number },
): number {
  const tenths = Math.round(10 * blockInterval);
  return time + Math.floor(((seqno + 1) * tenths) / 10) - Math.floor((seqno * tenths) / 10);
}

interface Rule {
  readonly accepts: (value: number | string) => boolean;
  readonly accepted: string;
}

const steps = range(1, 1_000_000, "a whole number of steps from 1 to 1000000");

const seconds = range(1, 86_400, "whole seconds from 1 to 86400");
const tenths = range(1, 9, "");

const firstSimplex = range(2, 2 ** 31 - 1, "the number of the first block with Simplex signatures, from 2 to 2147483647");

/** The accepted values of each option. */
export const chainOptionRules: Readonly<Record<Exclude<keyof ChainOptions, "seed">, Rule>> = {
  startTime: range(1, 4_000_000_000, "Unix seconds from 1 to 4000000000"),
  accounts: range(1, 1_000_000, "a whole number from 1 to 1000000"),
  shards: { accepts: (value) => [1, 2, 4, 8].some((count) => count === value), accepted: "1, 2, 4 or 8" },
  blockInterval: {
    accepts: (value) =>
      seconds.accepts(value) || (typeof value === "number" && tenths.accepts(Number((10 * value).toFixed(6)))),
    accepted: `${seconds.accepted}, or 0.1 to 0.9`,
  },
  rate: range(0, 10_000, "a whole number from 0 to 10000"),
  transactionLimit: range(4, 10_000, "a whole number from 4 to 10000"),
  retentionSeconds: range(1, 4_000_000_000, "whole seconds from 1 to 4000000000"),
  reserved: range(0, 1_000_000, "a whole number from 0 to 1000000"),
  burnedFees: range(0, 100, "a whole number from 0 to 100"),
  puppets: range(0, 100, "a whole number from 0 to 100"),
  resharding: {
    accepts: (value) => value === "none" || value === "load" || steps.accepts(value),
    accepted: `none, load, or ${steps.accepted}`,
  },
  validators: range(0, 400, "a whole number from 0 to 400"),
  consensus: {
    accepts: (value) => value === "ordinary" || value === "simplex" || firstSimplex.accepts(value),
    accepted: `ordinary, simplex, or ${firstSimplex.accepted}`,
  },
  keyBlocks: { accepts: (value) => value === "none" || steps.accepts(value), accepted: `none, or ${steps.accepted}` },
  suspended: range(0, 4_000_000_000, "whole seconds from 0 to 4000000000"),
  shardBlocks: { accepts: (value) => value === "one" || value === "uneven", accepted: "one or uneven" },
};

function range(least: number, most: number, accepted: string): Rule {
  const accepts = (value: number | string): boolean =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
  return { accepts, accepted };
}

/**
 * Checks the options of a new chain, and adds the defaults.
 *
 * @throws ChainOptionError at the first that is not accepted.
 */
export function chainOptions(given: { readonly seed: number | bigint } & Partial<Omit<ChainOptions, "seed">>): ChainOptions {
  const known = { ...chainOptionDefaults, ...withoutUndefined(given), seed: seedOf(given.seed) };
  const options = { transactionLimit: defaultLimit(known), ...known };
  for (const [name, { accepts, accepted }] of Object.entries(chainOptionRules)) {
    const value = options[name as keyof typeof chainOptionRules];
    if (!accepts(value)) throw new ChainOptionError(`${name} ${value}: expected ${accepted}`);
  }
  return options;
}

/** The options in the form that the store keeps as JSON. */
export function storedOptions(options: ChainOptions): Readonly<Record<string, string | number>> {
  return { ...options, seed: options.seed.toString() };
}

export function readOptions(stored: Readonly<Record<string, string | number | boolean>>): ChainOptions {
  return chainOptions({ ...(stored as unknown as ChainOptions), seed: BigInt(stored["seed"] ?? -1) });
}

/** Enough for an average step: only steps with more messages fill blocks. */
function defaultLimit({ rate, shards }: Pick<ChainOptions, "rate" | "shards">): number {
  return Math.min(10_000, Math.max(20, Math.ceil((4 * rate) / shards)));
}

function seedOf(seed: number | bigint): bigint {
  const isWhole = typeof seed === "bigint" || Number.isSafeInteger(seed);
  if (!isWhole || seed < 0 || BigInt(seed) >= 2n ** 64n) {
    throw new ChainOptionError(`seed ${seed}: expected a whole number from 0 to 18446744073709551615`);
  }
  return BigInt(seed);
}

function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}
