import {
  CommandLineError,
  oneOf,
  type Printed,
  type Program,
  parseCommandLine,
  text,
  type ValueType,
  wholeNumber,
} from "@chain-query/command-line";
import { type ChainOptions, chainOptionDefaults, chainOptionRules } from "../genesis/options.ts";

/** A command with its values. */
export type ChainCommand = InitCommand | RunCommand | AdvanceCommand | InspectCommand | VerifyCommand;

/** Makes a chain. Absent options have the default of the library. */
export interface InitCommand {
  readonly command: "init";
  readonly directory: string;
  readonly options: Pick<ChainOptions, "seed"> & Partial<ChainOptions>;
}

/** Makes blocks in real time. */
export interface RunCommand {
  readonly command: "run";
  readonly directory: string;
  /** In seconds. */
  readonly blockInterval?: number;
  readonly rate?: number;
}

/** Makes a number of blocks at full speed. */
export interface AdvanceCommand {
  readonly command: "advance";
  readonly directory: string;
  readonly steps: number;
}

/** Shows a chain or one of its objects. */
export interface InspectCommand {
  readonly command: "inspect";
  readonly directory: string;
  readonly target: InspectTarget;
}

/** The name is unresolved user input. */
export type InspectTarget =
  | { readonly of: "chain" }
  | { readonly of: "block" | "account" | "transaction"; readonly name: string };

/** Checks a chain. */
export interface VerifyCommand {
  readonly command: "verify";
  readonly directory: string;
}

const directory = text("<dir>", "a folder");

const seed: ValueType<bigint> = {
  placeholder: "<n>",
  accepted: "a whole number from 0 to 18446744073709551615",
  parse: (value) => (/^\d{1,20}$/.test(value) && BigInt(value) < 2n ** 64n ? BigInt(value) : undefined),
};

/** A whole number within the bounds of the library. */
function option(name: keyof typeof chainOptionRules): ValueType<number> {
  const { accepts, accepted } = chainOptionRules[name];
  const parse = (value: string): number | undefined =>
    /^\d+(\.\d)?$/.test(value) && accepts(Number(value)) ? Number(value) : undefined;
  return { placeholder: "<n>", accepted, parse };
}

/** One of some words, or a number within the bounds of the library. */
function wordOr<const Word extends string>(
  name: keyof typeof chainOptionRules,
  placeholder: string,
  ...words: readonly Word[]
): ValueType<Word | number> {
  const number = option(name);
  const parse: ValueType<Word | number>["parse"] = (value, from) =>
    words.find((word) => word === value) ?? number.parse(value, from);
  return { placeholder, accepted: number.accepted, parse };
}

const { validators, accounts, shards, startTime, blockInterval, rate, burnedFees, puppets, retentionSeconds, suspended } =
  chainOptionDefaults;
const name = text("<id>", "a name");

const program = {
  name: "chain-query-local-chain",
  manifest: new URL("../../package.json", import.meta.url),
  commands: {
    init: {
      summary: "makes a chain; the same seed and options give the same bytes",
      arguments: { directory },
      flags: {
        seed: { type: seed, required: true, help: "any whole number below 2^64" },
        accounts: { type: option("accounts"), default: `${accounts}`, help: "wallets" },
        shards: { type: option("shards"), default: `${shards}`, help: "of the basechain: 1, 2, 4 or 8" },
        startTime: { type: option("startTime"), default: `${startTime}`, help: "Unix time of the zero state" },
        blockInterval: { type: option("blockInterval"), default: `${blockInterval}`, help: "seconds between blocks" },
        rate: { type: option("rate"), default: `${rate}`, help: "external messages per step" },
        transactionLimit: { type: option("transactionLimit"), help: "per block (default: keeps queues short)" },
        resharding: {
          type: wordOr("resharding", "<steps>", "none", "load"),
          default: "none",
          help: "steps between reshardings, or load",
        },
        keyBlocks: {
          type: wordOr("keyBlocks", "<steps>", "none"),
          default: "none",
          help: "steps from one key block to the next",
        },
        validators: { type: option("validators"), default: `${validators}`, help: "that sign blocks; 0: no signatures" },
        consensus: {
          type: wordOr("consensus", "<form>", "ordinary", "simplex"),
          default: `${chainOptionDefaults.consensus}`,
          help: "ordinary, simplex, or a block",
        },
        shardBlocks: { type: oneOf("<how>", ["one", "uneven"]), default: "one", help: "of a shard in a step: one, or uneven" },
        suspended: { type: option("suspended"), default: `${suspended}`, help: "seconds for which accounts are suspended" },
        burnedFees: { type: option("burnedFees"), default: `${burnedFees}`, help: "percentage that the masterchain burns" },
        puppets: { type: option("puppets"), default: `${puppets}`, help: "percentage of messages that change codes" },
        retention: {
          type: option("retentionSeconds"),
          default: `${retentionSeconds}`,
          help: "seconds before history is archival",
        },
      },
    },
    run: {
      summary: "makes blocks in real time, until Ctrl-C",
      arguments: { directory },
      flags: {
        blockInterval: { type: option("blockInterval"), help: "seconds (default: the chain's)" },
        rate: { type: option("rate"), help: "external messages per step (default: the chain's)" },
      },
    },
    advance: {
      summary: "makes <n> steps at full speed",
      arguments: { directory, steps: wholeNumber(1, 1_000_000_000) },
      flags: {},
    },
    inspect: {
      summary: "shows the head, shards and accounts, or one of these",
      arguments: { directory },
      flags: {
        block: { type: name, help: "12, -1:12 or 0:a000000000000000:12" },
        account: { type: name, help: "raw or user-friendly address" },
        transaction: { type: name, help: "account and logical time, such as 0:ab…:123" },
      },
    },
    verify: {
      summary: "checks the hashes of all blocks, and compares every record with them",
      arguments: { directory },
      flags: {},
    },
  },
  notes: "Exit code: 0 done, 1 verify found an error, 2 invalid arguments or folder.",
} as const satisfies Program;

/**
 * Parses the arguments of the command.
 *
 * @throws CommandLineError with one line for each problem.
 */
export function parseArguments(args: readonly string[]): ChainCommand | Printed {
  const parsed = parseCommandLine(program, args);
  if (parsed.command === "init") {
    const { command, directory, retention, ...options } = parsed;
    return { command, directory, options: { ...options, retentionSeconds: retention } };
  }
  if (parsed.command !== "inspect") return parsed;
  const targets = (["block", "account", "transaction"] as const).flatMap((of): InspectTarget[] => {
    const given = parsed[of];
    return given === undefined ? [] : [{ of, name: given }];
  });
  const [target = { of: "chain" } as const, other] = targets;
  if (other !== undefined)
    throw new CommandLineError([`--${target.of} and --${other.of} exclude each other; expected one of them`]);
  return { command: "inspect", directory: parsed.directory, target };
}
