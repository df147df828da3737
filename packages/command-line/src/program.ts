import type { ValueType } from "./value-types.ts";

/** One option of a command. */
export interface Flag {
  /** Absent for a switch, which takes no value. */
  readonly type?: ValueType<unknown>;
  /** What applies where the option is not given, as text. The help shows it. */
  readonly default?: string;
  readonly required?: true;
  /** May be given several times; the value is a list. */
  readonly repeatable?: true;
  /** The environment variable; by default the command's prefix with the option's name. */
  readonly environment?: string;
  /** Names of options that do not count in later sources, the environment and the file, if an earlier one has this option. */
  readonly hides?: readonly string[];
  /** Keeps the value out of errors. */
  readonly secret?: true;
  readonly help: string;
}

/** Options by name: `blockInterval` is `--block-interval`, `PREFIX_BLOCK_INTERVAL` and `block-interval` in a file. */
export type Flags = Readonly<Record<string, Flag>>;

/** What a program can be asked to do. */
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

/** A program with its commands. The one without a name, `""`, runs if the first argument names no other. */
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

/** What a command line asks for. */
export type Parsed<P extends Program> = Runnable<P> | Printed;

/** `block-interval` for `blockInterval`. */
export function flagName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
