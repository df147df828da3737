/** All options of a call, checked at once: every mistake is told, not only the first. */
import { resolve } from "node:path";
import { OptionError } from "./option-error.ts";
import { type Option, type ServeOptions, serveTable } from "./serve-options.ts";
import { fromEnvironment, fromFile, fromFlags, type Given, type Source } from "./sources.ts";
import type { Read } from "./values.ts";

const config = { name: "config" };
const asked = [
  { name: "help", alone: true },
  { name: "version", alone: true },
];

/** What is wanted of the command: to tell something, or to serve. */
export type ServeWish = { kind: "help" } | { kind: "version" } | { kind: "serve"; options: ServeOptions };

/**
 * Reads what serving is asked for.
 *
 * @throws OptionError with a line for each mistake.
 *
 * @example
 * serveWishIn(["--port", "0"], {}); // { kind: "serve", options: { port: 0, host: "127.0.0.1", … } }
 */
export function serveWishIn(args: readonly string[], environment: NodeJS.ProcessEnv): ServeWish {
  const options = Object.values(serveTable);
  const flags = fromFlags(args, [...options, config, ...asked]);
  if (flags.given.has("help")) return { kind: "help" };
  if (flags.given.has("version")) return { kind: "version" };
  const variables = fromEnvironment(environment, [...options, config]);
  const file = flags.given.get("config") ?? variables.given.get("config");
  const sources = [flags, variables, ...(file === undefined ? [] : [fromFile(file, options)])];
  const mistakes = [
    ...flags.words.map((word) => `${JSON.stringify(word)}: no such command; keys is one, and --help lists options`),
    ...sources.flatMap((source) => source.mistakes),
  ];
  const values = valuesOf(serveTable, sources, mistakes);
  if (mistakes.length > 0) throw new OptionError(mistakes);
  const chain = resolve(values.chain);
  return { kind: "serve", options: { ...values, chain, keys: values.keys === "" ? `${chain}.keys` : resolve(values.keys) } };
}

type Table<Values> = { readonly [Name in keyof Values]: Option<Values[Name]> };

/** Reads each option from the first source that has it. What is wrong is added to the mistakes. */
export function valuesOf<Values>(table: Table<Values>, sources: readonly Source[], mistakes: string[]): Values {
  const values: Partial<Values> = {};
  for (const key of Object.keys(table) as (keyof Values)[]) {
    const { name, read, fallback } = table[key];
    const given = sources.map((source) => source.given.get(name)).find((one) => one !== undefined);
    values[key] = given === undefined ? fallback : readGiven(given, read, fallback, mistakes);
  }
  // Every name of the table was gone through.
  return values as Values;
}

function readGiven<Value>({ text, where }: Given, read: Read<Value>, fallback: Value, mistakes: string[]): Value {
  const result = read(text);
  if ("value" in result) return result.value;
  mistakes.push(`${where} ${JSON.stringify(text)}: ${result.accepted} is accepted`);
  return fallback;
}
