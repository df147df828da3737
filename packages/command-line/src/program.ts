/** The table of a program, and its help. */
import type { ValueType } from "./value-types.ts";

/** One option of a command. */
export interface Flag {
  /** Absent for a switch, which takes no value. */
  readonly type?: ValueType<unknown>;
  /** The default value as text. The help shows it. */
  readonly default?: string;
  readonly required?: true;
  /** May be given several times; the value is a list. */
  readonly repeatable?: true;
  /** The environment variable; by default the command's prefix with the option's name. */
  readonly environment?: string;
  /** Options that are ignored in later sources (environment, file) if an earlier source has this option. */
  readonly hides?: readonly string[];
  /** Keeps the value out of errors. */
  readonly secret?: true;
  readonly help: string;
}

/** Options by name: `blockInterval` is `--block-interval`, `PREFIX_BLOCK_INTERVAL` and `block-interval` in a file. */
export type Flags = Readonly<Record<string, Flag>>;

/** A command of a program. */
export interface Command {
  readonly summary: string;
  /** The arguments besides the options, in order. All are required. */
  readonly arguments?: Readonly<Record<string, ValueType<unknown>>>;
  readonly flags: Flags;
  /** Prefix of environment variables, such as `CHAIN_QUERY_`. */
  readonly environmentPrefix?: string;
  /** Reads the file that `--config` names. Its members are options by name. */
  readonly readConfig?: (file: string) => unknown;
}

/** A program with its commands. The command `""` runs if the first argument names no other. */
export interface Program {
  readonly name: string;
  /** The package.json that has the version. */
  readonly manifest: URL;
  readonly commands: Readonly<Record<string, Command>>;
  /** The last lines of the help. */
  readonly notes?: string;
}

type ValueOf<F extends Flag> =
  F extends Readonly<{ type: ValueType<infer Value> }> ? (F extends { repeatable: true } ? readonly Value[] : Value) : boolean;

type IsAlwaysThere<F extends Flag> = F extends { type: unknown }
  ? F extends { default: string } | { required: true } | { repeatable: true }
    ? true
    : false
  : true;

/** The values of options. An option without a default is absent if it is not given; a switch is false. */
export type Values<F extends Flags> = {
  readonly [Name in keyof F as IsAlwaysThere<F[Name]> extends true ? Name : never]: ValueOf<F[Name]>;
} & { readonly [Name in keyof F as IsAlwaysThere<F[Name]> extends true ? never : Name]?: ValueOf<F[Name]> };

type ArgumentsOf<C extends Command> = C extends { arguments: infer Arguments }
  ? { readonly [Name in keyof Arguments]: Arguments[Name] extends ValueType<infer Value> ? Value : never }
  : unknown;

/** A command with the values of its arguments and options. */
export type Runnable<P extends Program> = {
  [Name in keyof P["commands"]]: { readonly command: Name } & ArgumentsOf<P["commands"][Name]> &
    Values<P["commands"][Name]["flags"]>;
}[keyof P["commands"]];

/** A text to print, the help or the version. */
export interface Printed {
  readonly command: "print";
  readonly text: string;
}

/** The parsed command line. */
export type Parsed<P extends Program> = Runnable<P> | Printed;

/** `block-interval` for `blockInterval`. */
export function flagName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The help of a program, or of its commands whose names begin with a word. */
export function helpText(program: Program, word = ""): string {
  const named = Object.entries(program.commands).filter(([name]) => name.split(" ")[0] === word);
  const shown = word === "" || named.length === 0 ? Object.entries(program.commands) : named;
  const usage = shown.map(([name]) => usageOf(program, name)).join("\n       ");
  const rows = rowsOf(shown);
  const column = Math.max(...rows.map(([label, help]) => (help === undefined ? 0 : label.length))) + 2;
  const lines = rows.map(([label, help]) => (help === undefined ? label : `${label.padEnd(column)}${help}`));
  return `Usage: ${usage}\n\n${lines.join("\n").trimStart()}\n${program.notes === undefined ? "" : `\n${program.notes}\n`}`;
}

/** The usage of a command, such as `program advance <folder> <blocks>`. */
export function usageOf({ name: program, commands }: Program, name: string): string {
  const { arguments: parameters = {}, flags = {} } = commands[name] ?? {};
  const required = Object.entries(flags).filter(([, flag]) => flag.required);
  const words = [
    program,
    name,
    ...Object.values(parameters).map(({ placeholder }) => placeholder),
    ...required.map(([key, { type }]) => `--${flagName(key)} ${type?.placeholder}`),
    Object.keys(flags).length > required.length ? "[options]" : "",
  ];
  return words.filter((word) => word !== "").join(" ");
}

type Row = readonly [label: string, help?: string];

/** The lines of all commands; an option that several commands share is shown with the first. */
function rowsOf(commands: readonly (readonly [string, Command])[]): Row[] {
  const seen = new Set<string>();
  const rows = commands.flatMap(([name, { summary, flags, readConfig }]): Row[] => {
    const all = Object.entries(flags).map(([key, flag]): Row => [`  ${labelOf(key, flag)}`, helpOf(flag)]);
    const options = all.filter((row) => !seen.has(row.join(" ")));
    for (const row of options) seen.add(row.join(" "));
    const config: Row[] = readConfig ? [["  --config <file>", "read options from a file"]] : [];
    const title: Row[] = name === "" ? [[summary], [""]] : [[""], [`${name}: ${summary}`]];
    return [...title, ...options, ...config];
  });
  return [...rows, ["  --help, --version"]];
}

function labelOf(key: string, { type }: Flag): string {
  return `--${flagName(key)}${type === undefined ? "" : ` ${type.placeholder}`}`;
}

function helpOf(flag: Flag): string {
  return flag.default === undefined ? flag.help : `${flag.help} (default ${flag.default})`;
}
