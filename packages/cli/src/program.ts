/** The command line: one command for each operation of the contract, made from its inputs, and a few more. */
import {
  type Command,
  CommandLineError,
  type Flag,
  flagName,
  oneOf,
  type Printed,
  type Program,
  parseCommandLine,
  text,
  type ValueType,
} from "@chain-query/command-line";
import { isAddress } from "@chain-query/openapi/address";
import { type Input, type Operation, operations } from "@chain-query/openapi/operations";

/** The name of an input in the client: `createdLt` for `created_lt`. */
export const memberName = (wire: string): string => wire.replaceAll(/_[a-z]/g, ([, letter = ""]) => letter.toUpperCase());

const url: ValueType<string> = {
  placeholder: "<url>",
  accepted: "the http:// or https:// URL of a deployment, such as http://127.0.0.1:4010",
  parse: (value) => (/^https?:\/\/[^\s@]+$/.test(value) && URL.canParse(value) ? value : undefined),
};

const connection = {
  url: { type: url, required: true, environment: "CHAIN_QUERY_URL", help: "the deployment; or set CHAIN_QUERY_URL" },
} as const satisfies Command["flags"];

/** `<createdLt>` for the argument or value of an input, and what it accepts. */
function valueType({ name, kind, range, description }: Input): ValueType<string | number> {
  const placeholder = `<${memberName(name)}>`;
  if (kind === "address" || kind === "addressOrEmpty") {
    const accepted = "an address in raw form, such as -1:5555…, or in user-friendly form";
    return { placeholder, accepted, parse: (value) => (isAddress(value) ? value : undefined) };
  }
  if (kind !== "integer" || range === undefined) return text(placeholder, description);
  const isExact = range.most <= Number.MAX_SAFE_INTEGER;
  return {
    placeholder,
    accepted: `a whole number from ${range.least} to ${range.most}`,
    parse(value) {
      if (!/^-?\d{1,20}$/.test(value) || BigInt(value) < range.least || BigInt(value) > range.most) return undefined;
      return isExact ? Number(value) : value;
    },
  };
}

/** An operation that has one required input takes it as its argument, without a name. */
function argumentOf({ inputs }: Operation): Input | undefined {
  const [first, second] = inputs.filter(({ required }) => required);
  return second === undefined ? first : undefined;
}

function flagOf(input: Input): Flag {
  const { schema, kind, required, description } = input;
  const usual = schema.default === undefined || kind === "boolean" ? "" : ` (default ${schema.default})`;
  const help = `${description.replace(/\.$/, "").replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}${usual}`;
  if (kind === "boolean") return { help };
  return required ? { type: valueType(input), required, help } : { type: valueType(input), help };
}

/** The commands of operations by their names. */
export function commandsOf(described: readonly Operation[]): Record<string, Command> {
  return Object.fromEntries(described.map((operation) => [operation.id, commandOf(operation)]));
}

function commandOf(operation: Operation): Command {
  const argument = argumentOf(operation);
  const named = operation.inputs.filter((input) => input !== argument);
  const watch: Record<string, Flag> =
    operation.id === "getTransactionsStd" ? { watch: { help: "print each new transaction until Ctrl-C" } } : {};
  return {
    summary: operation.summary,
    ...(argument && { arguments: { [memberName(argument.name)]: valueType(argument) } }),
    flags: { ...Object.fromEntries(named.map((input) => [memberName(input.name), flagOf(input)])), ...watch, ...connection },
  };
}

const shells = ["bash", "zsh", "fish"] as const;

/** The command line. */
export const program: Program = {
  name: "chain-query",
  manifest: new URL("../package.json", import.meta.url),
  commands: {
    ...commandsOf(operations),
    mcp: { summary: "Serve these reads as tools of an MCP server, on stdin and stdout", flags: connection },
    completion: {
      summary: "Print a script that completes commands and options",
      arguments: { shell: oneOf(`<${shells.join("|")}>`, shells) },
      flags: {},
    },
  },
  notes: `A key is read from CHAIN_API_KEY. Prints a table on a terminal, else JSON.
Exit code: 0 done; 2 wrong input; 3 the key was refused; 4 not found; 75 temporary,
try again later; 130 Ctrl-C; 1 all else.`,
};

/** A command with the values of its inputs and options. */
export type Given = Readonly<{ command: string } & Record<string, unknown>>;

/**
 * Parses the arguments.
 *
 * @throws CommandLineError with one line for each problem.
 */
export function parseArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): Given | Printed {
  const parsed = parseCommandLine(program, args, environment);
  const { watch, ...given }: Record<string, unknown> = { ...parsed };
  const without = ["limit", "toLt"].filter((name) => watch === true && name in given).map((name) => `--${flagName(name)}`);
  if (without.length > 0) throw new CommandLineError([`--watch: not together with ${without.join(" and ")}`]);
  return parsed;
}
