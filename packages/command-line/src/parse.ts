import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Command, type Flag, flagName, helpText, type Parsed, type Program, usageOf } from "./program.ts";
import { CommandLineError, joined, type TextSource, type ValueType } from "./value-types.ts";

/** The text of an option and its source: `--port`, `CHAIN_QUERY_PORT` or `server.yaml: port`. */
interface Given {
  readonly where: string;
  readonly from: TextSource;
  /** Undefined if the value is missing. */
  readonly text: string | undefined;
}

/** The texts of options, by name on the command line. */
type Source = ReadonlyMap<string, readonly Given[]>;

const configFlag: Flag = { type: { placeholder: "<file>", accepted: "a file", parse: (text) => text || undefined }, help: "" };

/**
 * Parses a command line. Sources in order of precedence: options, environment variables, config file, defaults.
 *
 * @throws CommandLineError with one line for each problem.
 */
export function parseCommandLine<const P extends Program>(
  program: P,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): Parsed<P> {
  const { words, options, problems } = readArguments(program, args);
  if (options.has("--help")) return { command: "print", text: helpText(program, words[0]) };
  if (options.has("--version")) return { command: "print", text: `${versionOf(program)}\n` };
  const [name, command] = findCommand(program, words, problems);
  problems.push(...unknownOptions(program, name, command, options));
  const variables = readEnvironment(command, environment);
  const given = [options, variables, readConfig(command, [options, variables], problems)];
  const sources: Source[] = [];
  for (const source of given) sources.push(withoutHidden(source, command, sources));
  const positional = readPositionals(program, name, command, words, options, problems);
  const values = Object.entries(command.flags).map(([key, flag]) => [key, readValue(key, flag, sources, problems)] as const);
  if (problems.length > 0) throw new CommandLineError(problems);
  const present = values.filter(([, value]) => value !== undefined);
  // The compiler cannot follow the table through Object.entries; the tests compare both.
  return { command: name, ...positional, ...Object.fromEntries(present) } as Parsed<P>;
}

function readArguments(program: Program, args: readonly string[]): { words: string[]; options: Source; problems: string[] } {
  const kinds = optionKinds(program);
  const { tokens } = parseArgs({ args: [...args], options: kinds, strict: false, allowPositionals: true, tokens: true });
  const words: string[] = [];
  const options = new Map<string, Given[]>();
  const problems: string[] = [];
  let [mayBeValue, index] = [false, -1];
  for (const token of tokens) {
    // `-abc` is three tokens of one argument.
    if (token.index === index) continue;
    index = token.index;
    // No option begins with a digit: it is a negative number, or an address of the masterchain.
    const word =
      token.kind === "option" && /^-\d/.test(token.rawName) ? args[index] : token.kind === "positional" && token.value;
    if (typeof word === "string" && !mayBeValue) words.push(word);
    mayBeValue = false;
    if (token.kind !== "option" || typeof word === "string") continue;
    const { rawName: where, value, inlineValue = false } = token;
    const kind = where.startsWith("--") ? kinds[token.name]?.type : undefined;
    // The parser takes the next option for a value that is missing.
    const isMissing = value === undefined || (!inlineValue && value.startsWith("--"));
    const text = kind === "boolean" ? "true" : isMissing ? undefined : value;
    if (kind === "boolean" && inlineValue) problems.push(`${where}: takes no value`);
    else options.set(where, [...(options.get(where) ?? []), { where, from: "argument", text }]);
    // The word after a misspelt option is probably its value, and may be a secret.
    mayBeValue = !inlineValue && (kind === undefined || (kind === "string" && isMissing));
  }
  return { words, options, problems };
}

function optionKinds({ commands }: Program): Record<string, { type: "string" | "boolean" }> {
  const kinds: Record<string, { type: "string" | "boolean" }> = { help: { type: "boolean" }, version: { type: "boolean" } };
  for (const command of Object.values(commands)) {
    for (const [key, { type }] of Object.entries(flagsOf(command)))
      kinds[flagName(key)] = { type: type === undefined ? "boolean" : "string" };
  }
  return kinds;
}

function flagsOf({ flags, readConfig }: Command): Readonly<Record<string, Flag>> {
  return readConfig === undefined ? flags : { ...flags, config: configFlag };
}

/** Finds the command that the first words name, and removes these words. */
function findCommand({ commands }: Program, words: string[], problems: readonly string[]): [string, Command] {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const command = Object.hasOwn(commands, name) && words.length >= length ? commands[name] : undefined;
    if (command === undefined) continue;
    words.splice(0, length);
    return [name, command];
  }
  const [first] = words;
  const siblings = Object.keys(commands).filter((name) => name.split(" ")[0] === first);
  const fallback = siblings.length === 0 ? commands[""] : undefined;
  if (fallback !== undefined) return ["", fallback];
  const expected = joined(siblings.length === 0 ? Object.keys(commands) : siblings);
  const problem = first === undefined ? "missing command" : `unknown command ${JSON.stringify(words.slice(0, 2).join(" "))}`;
  throw new CommandLineError([...problems, `${problem}; expected ${expected}`]);
}

function unknownOptions(program: Program, name: string, command: Command, options: Source): string[] {
  const accepted = Object.keys(flagsOf(command)).map((key) => `--${flagName(key)}`);
  const rejected = [...options.keys()].filter((option) => !accepted.includes(option));
  const full = [program.name, name].join(" ").trim();
  return rejected.map((option) => `${option}: not an option of ${full}; expected ${joined([...accepted, "--help"])}`);
}

function readPositionals(
  program: Program,
  name: string,
  { arguments: parameters = {}, flags }: Command,
  words: readonly string[],
  options: Source,
  problems: string[],
): Record<string, unknown> {
  const hasSecret = Object.entries(flags).some(([key, { secret }]) => secret && options.has(`--${flagName(key)}`));
  const names = name === "" ? Object.keys(program.commands) : [name];
  const usage = names.map((each) => usageOf(program, each)).join(", or ");
  const values = Object.entries(parameters).map(([key, type], i) => {
    const text = words[i];
    if (text === undefined) problems.push(`${type.placeholder}: missing; usage: ${usage}`);
    else return [key, parseText(type, { where: type.placeholder, from: "argument", text }, problems, hasSecret)] as const;
    return [key, undefined] as const;
  });
  for (const word of words.slice(values.length))
    problems.push(`unexpected argument${hasSecret ? "" : ` ${JSON.stringify(word)}`}; usage: ${usage}`);
  return Object.fromEntries(values);
}

function readEnvironment(command: Command, environment: Readonly<Record<string, string | undefined>>): Source {
  const { environmentPrefix: prefix } = command;
  const derived = (key: string): string | undefined => prefix && `${prefix}${flagName(key).replaceAll("-", "_").toUpperCase()}`;
  const found = Object.entries(flagsOf(command)).flatMap(([key, flag]): [string, Given[]][] => {
    const where = flag.environment ?? derived(key);
    const text = where ? environment[where] : undefined;
    return where && text !== undefined ? [[`--${flagName(key)}`, [{ where, from: "environment", text }]]] : [];
  });
  return new Map(found);
}

function readConfig(command: Command, sources: readonly Source[], problems: string[]): Source {
  if (command.readConfig === undefined) return new Map();
  const file = readValue("config", configFlag, sources, problems);
  if (typeof file !== "string") return new Map();
  let content: unknown;
  try {
    content = command.readConfig(file) ?? {};
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    problems.push(`${file}: cannot be read: ${reason}`);
    return new Map();
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    problems.push(`${file}: expected a mapping of options to values`);
    return new Map();
  }
  const accepted = Object.keys(command.flags).map(flagName);
  return new Map(
    Object.entries(content).flatMap(([name, value]): [string, Given[]][] => {
      const where = `${file}: ${name}`;
      const texts: unknown[] = [value].flat();
      if (!accepted.includes(name)) problems.push(`${where}: not an option; expected ${joined(accepted)}`);
      else if (!texts.every((one) => ["string", "number", "boolean"].includes(typeof one)))
        problems.push(`${where}: expected a text, a number, true or false, or a list of these`);
      else return [[`--${name}`, [{ where, from: "file", text: texts.join(",") }]]];
      return [];
    }),
  );
}

/** The options of a source, without those that an option of an earlier source hides. */
function withoutHidden(source: Source, { flags }: Command, earlier: readonly Source[]): Source {
  const isGiven = (key: string): boolean => earlier.some((each) => each.has(`--${flagName(key)}`));
  const hidden = Object.entries(flags).flatMap(([key, { hides = [] }]) => (isGiven(key) ? hides : []));
  const names = hidden.map((key) => `--${flagName(key)}`);
  return new Map([...source].filter(([name]) => !names.includes(name)));
}

/** Reads an option from the first source that has it. Appends to the problems. */
function readValue(key: string, flag: Flag, sources: readonly Source[], problems: string[]): unknown {
  const option = `--${flagName(key)}`;
  const given = sources.map((source) => source.get(option)).find((each) => each !== undefined) ?? [];
  const type = flag.type ?? switchType;
  if (given.length > 1 && !flag.repeatable) problems.push(`${option}: given twice; expected once`);
  const values = given.map((each) => parseText(type, each, problems, flag.secret));
  if (flag.repeatable) return values;
  if (given.length > 0) return values[0];
  if (flag.required) problems.push(`${option}: missing; expected ${type.accepted}`);
  return flag.type === undefined ? false : flag.default === undefined ? undefined : type.parse(flag.default, "default");
}

const switchType: ValueType<boolean> = {
  placeholder: "",
  accepted: "true or false",
  parse: (text) => (text === "true" ? true : text === "false" ? false : undefined),
};

function parseText(type: ValueType<unknown>, { where, from, text }: Given, problems: string[], isSecret = false): unknown {
  const expected = `expected ${type.accepted}`;
  try {
    const value = text === undefined ? undefined : type.parse(text, from);
    if (text === undefined) problems.push(`${where}: missing value; ${expected}`);
    else if (value === undefined) problems.push(`${where}: ${expected}${isSecret ? "" : `, got ${JSON.stringify(text)}`}`);
    return value;
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    problems.push(`${where}: ${error.message}`);
    return undefined;
  }
}

function versionOf({ manifest }: Program): string {
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  return version;
}
