import { parseArgs } from "node:util";
import type { ChainOptions } from "./genesis/options.ts";

/** What the command line asks for. */
export type Wish =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | InitWish
  | RunWish
  | { readonly kind: "advance"; readonly directory: string; readonly steps: number }
  | InspectWish
  | { readonly kind: "verify"; readonly directory: string };

/** A chain is to be made. What is absent is as the library has it. */
export interface InitWish {
  readonly kind: "init";
  readonly directory: string;
  readonly seed: bigint;
  readonly options: Partial<Record<InitNumber, number>>;
}

/** Blocks are to be made in real time. */
export interface RunWish {
  readonly kind: "run";
  readonly directory: string;
  /** Seconds. */
  readonly blockInterval?: number;
  readonly rate?: number;
}

/** Something of a chain is to be shown. */
export interface InspectWish {
  readonly kind: "inspect";
  readonly directory: string;
  readonly json: boolean;
  readonly subject: Subject;
}

/** What of a chain is to be shown: as typed, since only the chain knows what there is. */
export type Subject = { readonly of: "chain" } | { readonly of: "block" | "account" | "transaction"; readonly name: string };

/** Thrown where the command line makes no sense; the message is the one line to print. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The text of `--help`. */
export const help = `Usage: chain-query-local-chain init DIR --seed N [options]
       chain-query-local-chain run DIR [--block-interval S] [--rate N]
       chain-query-local-chain advance DIR N
       chain-query-local-chain inspect DIR [--block ID | --account ADDR | --transaction ID] [--json]
       chain-query-local-chain verify DIR

A whole small sharded network in a folder: real contracts, executed by the real virtual machine, in real blocks.

init     makes a chain; the same seed and options give the same bytes on any machine
  --seed N               a whole number from 0 to 18446744073709551615
  --accounts N           wallets at the beginning (default 1000)
  --shards N             of the basechain: 1, 2, 4 or 8 (default 4)
  --start-time T         Unix seconds of the zero state (default 1767225600)
  --block-interval S     seconds of chain time between blocks (default 5)
  --rate N               messages from outside for each step (default 20)
  --transaction-limit N  the most transactions of a block (default: what keeps queues short)
  --retention S          seconds of chain time until history is archival (default 172800)
run      makes blocks in real time until Ctrl-C
advance  makes N blocks of every shard at full speed
inspect  shows the head, shards and accounts, or a block (-1:12, 0:a000000000000000:12), an account (0:hex
         or user-friendly), a transaction (account:lt)
verify   re-hashes every block, re-checks every link, index and balance
--version, --help

Exit code: 0 done, 1 verify found something wrong, 2 bad input or a folder that cannot be used.
`;

const flags = {
  seed: { type: "string" },
  accounts: { type: "string" },
  shards: { type: "string" },
  "start-time": { type: "string" },
  "block-interval": { type: "string" },
  rate: { type: "string" },
  "transaction-limit": { type: "string" },
  retention: { type: "string" },
  block: { type: "string" },
  account: { type: "string" },
  transaction: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean" },
  version: { type: "boolean" },
} as const;

type Flag = keyof typeof flags;
type Values = ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: typeof flags }>>["values"];

/** Options of a new chain that are whole numbers, by the name that the library gives them. */
type InitNumber = keyof Omit<ChainOptions, "seed">;
const initNumbers: Readonly<Record<InitNumber, Flag>> = {
  accounts: "accounts",
  shards: "shards",
  startTime: "start-time",
  blockInterval: "block-interval",
  rate: "rate",
  transactionLimit: "transaction-limit",
  retentionSeconds: "retention",
};

/** What each verb takes besides its folder. */
const verbs: Readonly<Record<Verb, readonly Flag[]>> = {
  init: ["seed", ...Object.values(initNumbers)],
  run: ["block-interval", "rate"],
  advance: [],
  inspect: ["block", "account", "transaction", "json"],
  verify: [],
};
type Verb = "init" | "run" | "advance" | "inspect" | "verify";

/** Reads the arguments of the command; each that makes no sense is a UsageError. */
export function wishIn(args: readonly string[]): Wish {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const [word, directory, ...others] = positionals;
  const verb = verbIn(word);
  checkFlags(verb, values);
  if (directory === undefined || directory === "") throw new UsageError(`${verb} needs a folder: ${usageOf(verb)}`);
  const most = verb === "advance" ? 1 : 0;
  if (others.length > most) throw new UsageError(`"${others[most]}" is one argument too many: ${usageOf(verb)}`);
  return wishes[verb](directory, values, others[0]);
}

const wishes: Readonly<Record<Verb, (directory: string, values: Values, argument: string | undefined) => Wish>> = {
  init: (directory, values) => ({ kind: "init", directory, seed: seedIn(values.seed), options: initOptionsIn(values) }),
  run: (directory, values) => ({
    kind: "run",
    directory,
    ...numberIn("blockInterval", "block-interval", values, 1, 86_400),
    ...numberIn("rate", "rate", values, 0, 10_000),
  }),
  advance: (directory, _values, argument) => ({ kind: "advance", directory, steps: stepsIn(argument) }),
  inspect: (directory, values) => ({ kind: "inspect", directory, json: values.json ?? false, subject: subjectIn(values) }),
  verify: (directory) => ({ kind: "verify", directory }),
};

function parsed(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: typeof flags }>> {
  try {
    return parseArgs({ args: joined(args), allowPositionals: true, options: flags });
  } catch (error) {
    // Node explains at length; the first sentence says what is wrong.
    const [what] = error instanceof Error ? error.message.split(/\.\s|\.?\n|\.$/) : [];
    throw new UsageError(
      `${what}; accepted are ${Object.keys(flags)
        .map((name) => `--${name}`)
        .join(", ")}`,
    );
  }
}

/** A value may begin with a minus, as a masterchain block's name does; Node would take it for a flag. */
function joined(args: readonly string[]): string[] {
  const result: string[] = [];
  for (const arg of args) {
    const before = result.at(-1);
    const takesText = before?.startsWith("--") && textFlags.has(before.slice(2));
    if (takesText && /^-\d/.test(arg)) result[result.length - 1] = `${before}=${arg}`;
    else result.push(arg);
  }
  return result;
}

const textFlags: ReadonlySet<string> = new Set(
  Object.entries(flags).flatMap(([name, { type }]) => (type === "string" ? [name] : [])),
);

function verbIn(word: string | undefined): Verb {
  if (word !== undefined && Object.hasOwn(verbs, word)) return word as Verb;
  const accepted = `${Object.keys(verbs).slice(0, -1).join(", ")} or ${Object.keys(verbs).at(-1)}`;
  throw new UsageError(word === undefined ? `a verb is missing: ${accepted}` : `"${word}" is no verb: ${accepted} is accepted`);
}

function checkFlags(verb: Verb, values: Values): void {
  const accepted: readonly string[] = verbs[verb];
  const foreign = Object.keys(values).find((name) => !accepted.includes(name));
  if (foreign !== undefined) throw new UsageError(`--${foreign} does not go with ${verb}: ${usageOf(verb)}`);
}

function usageOf(verb: Verb): string {
  const line = help.split("\n").find((text) => text.includes(`chain-query-local-chain ${verb} `)) ?? "";
  return line.replace("Usage:", "").trim();
}

function seedIn(text: string | undefined): bigint {
  const accepted = "a whole number from 0 to 18446744073709551615";
  if (text === undefined) throw new UsageError(`init needs --seed, ${accepted}`);
  if (!/^\d{1,20}$/.test(text) || BigInt(text) >= 2n ** 64n) throw new UsageError(`--seed "${text}": ${accepted} is accepted`);
  return BigInt(text);
}

function stepsIn(text: string | undefined): number {
  if (text === undefined) throw new UsageError(`how many blocks are to be made is missing: ${usageOf("advance")}`);
  return wholeIn("advance by", text, 1, 1_000_000_000);
}

/** Bounds are the library's to know; here only what is a number at all. */
function initOptionsIn(values: Values): InitWish["options"] {
  const options: Partial<Record<InitNumber, number>> = {};
  for (const [name, flag] of Object.entries(initNumbers) as [InitNumber, Flag][]) {
    const text = values[flag];
    if (typeof text === "string") options[name] = wholeIn(`--${flag}`, text, 0, Number.MAX_SAFE_INTEGER);
  }
  return options;
}

function numberIn<Name extends string>(
  name: Name,
  flag: "block-interval" | "rate",
  values: Values,
  least: number,
  most: number,
): Partial<Record<Name, number>> {
  const text = values[flag];
  return text === undefined ? {} : ({ [name]: wholeIn(`--${flag}`, text, least, most) } as Record<Name, number>);
}

/** Digits only: `Number` alone would take an empty text for 0. */
function wholeIn(what: string, text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const accepted = most === Number.MAX_SAFE_INTEGER ? "a whole number" : `a whole number from ${least} to ${most}`;
  throw new UsageError(`${what} "${text}": ${accepted} is accepted`);
}

function subjectIn(values: Values): Subject {
  const given = (["block", "account", "transaction"] as const).filter((of) => values[of] !== undefined);
  const [of, ...others] = given;
  if (of === undefined) return { of: "chain" };
  if (others.length > 0) throw new UsageError(`--${of} and --${others[0]} contradict each other; one of them is accepted`);
  return { of, name: values[of] ?? "" };
}
