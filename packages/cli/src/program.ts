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
  type ValueType,
} from "@chain-query/command-line";
import { type Input, type Operation, operations } from "@chain-query/openapi/operations";

/** The name of an input in the client: `createdLt` for `created_lt`. */
export const memberName = (wire: string): string => wire.replaceAll(/_[a-z]/g, ([, letter = ""]) => letter.toUpperCase());

const url: ValueType<string> = {
  placeholder: "<url>",
  accepted: "the http:// or https:// URL of a deployment, such as http://127.0.0.1:4010",
  parse: (value) => (/^https?:\/\/[^\s@?#]+$/.test(value) && URL.canParse(value) ? value : undefined),
};

const connection = {
  url: {
    type: url,
    required: true,
    environment: "CHAIN_QUERY_URL",
    help: "the deployment; or set CHAIN_QUERY_URL",
  },
} as const satisfies Command["flags"];

/** The client checks the value and takes numbers as text. It may be empty, as the source of an external message. */
const valueType = ({ name, description }: Input): ValueType<string> => ({
  placeholder: `<${memberName(name)}>`,
  accepted: description,
  parse: (value) => value,
});

function flagOf(input: Input): Flag {
  const { schema, kind, required, description } = input;
  const usual = schema.default === undefined || kind === "boolean" ? "" : ` (default ${schema.default})`;
  const help = `${description.replace(/\.$/, "").replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}${usual}`;
  return { help, ...(kind !== "boolean" && { type: valueType(input) }), ...(required && { required }) };
}

const members = <Value>(inputs: readonly Input[], of: (input: Input) => Value) =>
  Object.fromEntries(inputs.map((input) => [memberName(input.name), of(input)]));

/** The commands of operations by their names. An operation that has one required input takes it as its argument, without a name. */
export function commandsOf(described: readonly Operation[]): Record<string, Command> {
  return Object.fromEntries(
    described.map(({ id, summary, inputs }): [string, Command] => {
      const required = inputs.filter((input) => input.required);
      const parameters = required.length === 1 ? required : [];
      const flags = members(
        inputs.filter((input) => !parameters.includes(input)),
        flagOf,
      );
      const watch = id === "getTransactionsStd" && { watch: { help: "print each new transaction until Ctrl-C" } };
      return [id, { summary, arguments: members(parameters, valueType), flags: { ...flags, ...watch, ...connection } }];
    }),
  );
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
  if (watch !== true) return parsed;
  const without = ["limit", "toLt"].filter((name) => name in given).map((name) => `--${flagName(name)}`);
  const problems = without.length > 0 ? [`--watch: not together with ${without.join(" and ")}`] : [];
  if ("lt" in given !== "hash" in given) problems.push("--watch: expected --lt and --hash together, or neither");
  if (problems.length > 0) throw new CommandLineError(problems);
  return parsed;
}
