/** Where options come from: flags before the environment, the environment before a file, a file before the defaults. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import type { Option } from "./serve-options.ts";

/** A text that somebody gave for an option, and where. */
export interface Given {
  readonly text: string;
  /** As the person who gave it knows it, such as `--port` or `CHAIN_QUERY_PORT`. */
  readonly where: string;
}

/** What was given under each option's name, and what no option is meant by. */
export interface Source {
  readonly given: ReadonlyMap<string, Given>;
  readonly mistakes: readonly string[];
  /** What stands beside the options. */
  readonly words: readonly string[];
}

type Named = Pick<Option<unknown>, "name" | "alone">;

/** Reads flags; `--name value` and `--name=value` alike. */
export function fromFlags(args: readonly string[], options: readonly Named[]): Source {
  const byName = new Map(options.map((option) => [option.name, option]));
  const kinds = options.map(({ name, alone }) => [name, { type: alone ? "boolean" : "string" }] as const);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(kinds),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, Given>();
  const mistakes: string[] = [];
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = byName.get(token.name);
    const where = token.rawName;
    if (option === undefined) mistakes.push(`${where}: no such option; --help lists them`);
    else if (given.has(token.name)) mistakes.push(`${where}: given twice; once is accepted`);
    else if (option.alone === true && token.value !== undefined) mistakes.push(`${where}: takes no value`);
    else if (option.alone !== true && (token.value === undefined || isNextFlag(token)))
      mistakes.push(`${where}: a value is missing`);
    else given.set(token.name, { text: token.value ?? "true", where });
  }
  return { given, mistakes, words };
}

/** A flag without its value takes the next flag for it. */
function isNextFlag({ value, inlineValue }: { value: string | undefined; inlineValue: boolean | undefined }): boolean {
  return inlineValue !== true && value?.startsWith("--") === true;
}

/** Reads the environment. Other variables are nobody's mistake. */
export function fromEnvironment(environment: NodeJS.ProcessEnv, options: readonly Named[]): Source {
  const found = options.flatMap(({ name }): [string, Given][] => {
    const where = `CHAIN_QUERY_${name.replaceAll("-", "_").toUpperCase()}`;
    const text = environment[where];
    return text === undefined ? [] : [[name, { text, where }]];
  });
  return { given: new Map(found), mistakes: [], words: [] };
}

/** Reads a file of YAML, of which JSON is a part: a mapping of the options' names. */
export function fromFile({ text: file, where }: Given, options: readonly Named[]): Source {
  if (file === "") return { given: new Map(), mistakes: [`${where} "": a file is accepted`], words: [] };
  let content: unknown;
  try {
    content = parse(readFileSync(file, "utf8"));
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { given: new Map(), mistakes: [`${file}: cannot be read: ${reason}`], words: [] };
  }
  if (content === null) return { given: new Map(), mistakes: [], words: [] };
  if (typeof content !== "object" || Array.isArray(content)) {
    return { given: new Map(), mistakes: [`${file}: a mapping of options to values is accepted`], words: [] };
  }
  const names = new Set(options.map(({ name }) => name));
  const given = new Map<string, Given>();
  const mistakes: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const place = `${file}: ${name}`;
    if (!names.has(name)) mistakes.push(`${place}: no such option; --help lists them`);
    else if (![value].flat().every(isPlain))
      mistakes.push(`${place}: a text, a number, true or false, or a list of those is accepted`);
    else given.set(name, { text: [value].flat().join(","), where: place });
  }
  return { given, mistakes, words: [] };
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
