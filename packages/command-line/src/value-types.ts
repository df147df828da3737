/**
 * An error that the user can act on. `runProgram` prints its message without a stack. Errors of packages that do not depend on this one
 * have the property `isUserError` too.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
  readonly isUserError = true;
}

/** Whether the user or operator can act on an error. */
export function isUserError(error: unknown): error is Error {
  return error instanceof Error && "isUserError" in error && error.isUserError === true;
}

/** Thrown if the command line, the environment or the config file is wrong: one line for each problem. */
export class CommandLineError extends UserError {
  override readonly name = "CommandLineError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Parses a text into a value. */
export interface ValueType<Value> {
  /** Stands for the value in the help, such as `<number>`. */
  readonly placeholder: string;
  /** Completes "expected …" in errors. */
  readonly accepted: string;
  /** Returns undefined for a text that is not accepted, or throws a CommandLineError with the reason. */
  readonly parse: (text: string, from: TextSource) => Value | undefined;
}

/** The source of a text. Other users of the machine can see arguments, so arguments must not contain secrets. */
export type TextSource = "argument" | "environment" | "file" | "default";

/** Any text but the empty one. */
export function text(placeholder: string, accepted: string): ValueType<string> {
  return { placeholder, accepted, parse: (value) => (value === "" ? undefined : value) };
}

/** A text that matches a pattern. */
export function matching(placeholder: string, pattern: RegExp, accepted: string): ValueType<string> {
  return { placeholder, accepted, parse: (value) => (pattern.test(value) ? value : undefined) };
}

/** An address to listen at, such as `127.0.0.1:9090`. */
export const listenAddress: ValueType<{ host: string; port: number }> = {
  placeholder: "<address>",
  accepted: "a host and a port such as 127.0.0.1:9090 or [::1]:9090",
  parse: (value) => {
    const [, version6, name, port] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/i.exec(value) ?? [];
    const host = version6 ?? name;
    return host !== undefined && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
  },
};

/** The public key of a lite server, as its entry in a global.config.json has it. */
export const serverKey: ValueType<Uint8Array> = {
  placeholder: "<key>",
  accepted: "the public key of a lite server, 32 bytes in base64 as in its file",
  parse: (value) => {
    const bytes = Buffer.from(value, "base64");
    return bytes.length === 32 && bytes.toString("base64") === value ? new Uint8Array(bytes) : undefined;
  },
};

/**
 * The URL of a server, such as `postgres://user@host/database`. One with a password is accepted from the environment and from files
 * only: other users of the machine can see arguments. Use it in flags with `secret: true`.
 */
export function serverUrl(schemes: readonly [string, ...string[]], secretsFrom: readonly string[] = []): ValueType<string> {
  const pattern = new RegExp(`^(?:${schemes.join("|")})://(?:[^\\s@/]*@)?[^\\s@/?#,]*(?:[/?][^\\s#]*)?$`);
  const elsewhere = ["the environment variable of the option", ...secretsFrom];
  return {
    placeholder: "<url>",
    accepted: `a URL such as ${schemes[0]}://host:port/name`,
    parse: (value, from) => {
      if (!pattern.test(value) || !URL.canParse(value)) return undefined;
      if (from === "argument" && hasPassword(value))
        throw new CommandLineError([`a password in an argument is not secret; expected it in ${joined(elsewhere)}`]);
      return value;
    },
  };
}

function hasPassword(url: string): boolean {
  return /:\/\/[^/@]*:[^@]*@/.test(url) || /[?&](?:password|pass)=/i.test(url);
}

/** A decimal number, without sign or exponent. */
export function number(least: number, most: number, placeholder = "<n>"): ValueType<number> {
  return {
    placeholder,
    accepted: `a number from ${least} to ${most}`,
    parse: (value) => (/^\d+(\.\d+)?$/.test(value) ? within(Number(value), least, most) : undefined),
  };
}

/** A whole number in decimal digits. */
export function wholeNumber(least: number, most: number, placeholder = "<n>"): ValueType<number> {
  return {
    placeholder,
    accepted: `a whole number from ${least} to ${most}`,
    parse: (value) => (/^\d{1,16}$/.test(value) ? within(Number(value), least, most) : undefined),
  };
}

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}

const secondsPerUnit: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** A time span in seconds, such as `90`, `30m`, `48h` or `2d`. */
export const duration: ValueType<number> = {
  placeholder: "<time>",
  accepted: "a time of at least a second, such as 90, 30m, 48h or 2d",
  parse: (value) => {
    const [, digits, unit = ""] = /^(\d{1,9})([smhd]?)$/.exec(value) ?? [];
    return within(Number(digits) * (secondsPerUnit[unit] ?? 1), 1, Number.MAX_SAFE_INTEGER);
  },
};

/** One of a few words. */
export function oneOf<const Word extends string>(placeholder: string, words: readonly Word[]): ValueType<Word> {
  return { placeholder, accepted: joined(words), parse: (value) => words.find((word) => word === value) };
}

/** Values separated by commas. */
export function list<Value>(placeholder: string, item: ValueType<Value>, accepted: string): ValueType<readonly Value[]> {
  return {
    placeholder,
    accepted,
    parse: (value, from) => {
      const items = value.split(",").map((part) => item.parse(part.trim(), from));
      return items.every((one) => one !== undefined) ? items : undefined;
    },
  };
}

/** "a, b or c". */
export function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
