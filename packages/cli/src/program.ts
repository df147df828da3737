/** The command line: one command for each operation of the contract, made from its inputs, and a few more. */
import type { ChainClient } from "@chain-query/client";
import {
  type Command,
  CommandLineError,
  type Flag,
  flagName,
  matching,
  oneOf,
  type Printed,
  type Program,
  parseCommandLine,
  type ValueType,
} from "@chain-query/command-line";
import { type Input, operations } from "@chain-query/openapi/operations";

/** The name of an input in the client: `createdLt` for `created_lt`. */
export const memberName = (wire: string): string => wire.replaceAll(/_[a-z]/g, ([, letter = ""]) => letter.toUpperCase());

const url = "the http:// or https:// URL of a deployment, such as http://127.0.0.1:4010";

const connection = {
  url: {
    type: matching("<url>", /^https?:\/\/[^\s@?#]+$/, url),
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
const ofOperations = operations.map(({ id, summary, inputs }): [string, Command] => {
  const required = inputs.filter((input) => input.required);
  const parameters = required.length === 1 ? required : [];
  const options = inputs.filter((input) => !parameters.includes(input));
  const watch = id === "getTransactionsStd" && { watch: { help: "print each new transaction until Ctrl-C" } };
  const flags = { ...members(options, flagOf), ...watch, ...connection };
  return [id, { summary, arguments: members(parameters, valueType), flags }];
});

const shells = ["bash", "zsh", "fish"] as const;

/** The command line. */
export const program: Program = {
  name: "chain-query",
  manifest: new URL("../package.json", import.meta.url),
  commands: {
    ...Object.fromEntries(ofOperations),
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

/** Parses the arguments. @throws CommandLineError with one line for each problem */
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

/**
 * Calls an operation. The client checks the inputs, which are under its names, such as `createdLt`.
 *
 * @throws RangeError if there is no such operation: the client has other methods.
 */
export async function callOperation(chain: ChainClient, id: string, inputs: object, signal: AbortSignal): Promise<unknown> {
  const operation = operations.find((one) => one.id === id);
  const method: unknown = operation && Reflect.get(chain, operation.id);
  if (operation === undefined || typeof method !== "function") throw new RangeError(`there is no ${JSON.stringify(id)}`);
  const takesNone = operation.inputs.length === 0 && Object.keys(inputs).length === 0;
  return takesNone ? method({ signal }) : method(inputs, { signal });
}

/** The script that `eval "$(chain-query completion bash)"` and the like load. */
export function completionScript(shell: string): string {
  const commands = Object.entries(program.commands);
  const optionsOf = (flags: object): string[] => Object.keys(flags).map((key) => `--${flagName(key)}`);
  if (shell === "fish") {
    const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
    const lines = commands.flatMap(([name, { summary, flags }]) => [
      `complete -c chain-query -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...Object.entries(flags).map(
        ([key, { type, help }]) =>
          `complete -c chain-query -n '__fish_seen_subcommand_from ${name}' -l ${flagName(key)}${type ? " -r" : ""} -d ${quoted(help)}`,
      ),
    ]);
    // No command takes a file.
    return ["complete -c chain-query -f", ...lines, ""].join("\n");
  }
  const cases = commands.map(([name, { flags }]) => `    ${name}) words="${optionsOf(flags).join(" ")}" ;;`);
  return `${shell === "zsh" ? "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n" : ""}_chain_query() {
  local words="${commands.map(([name]) => name).join(" ")}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _chain_query chain-query
`;
}
