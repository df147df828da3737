import { parseArgs } from "node:util";

/** What the command line asks for. */
export type Wish =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "bodies"; readonly folder: string; readonly json: boolean };

/** Thrown where the command line makes no sense; the message is the one line to print. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The text of `--help`. */
export const help = `Usage: chain-query-conformance bodies <folder> [--json]

Judges recorded response bodies against the Chain Query contract: <folder>/<operationId>/*.json, each a whole envelope
or a bare result, and <folder>/errors/*.json, failures of any operation. Other folders are named as skipped.

Says of each body that it conforms, or where and how it deviates. A deviation is a known one of the older generation of
deployments, or unexplained.

  --json     print one JSON document in place of the table
  --version  print the version
  --help     print this

Exit code: 0 nothing is unexplained, 1 something is, 2 nothing was judged.
`;

/** Reads the arguments of the command. */
export function wishIn(args: string[]): Wish {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const [command, folder, ...more] = positionals;
  if (command === undefined) throw new UsageError("no command was given; accepted is: bodies <folder> [--json]");
  if (command !== "bodies") {
    throw new UsageError(`${JSON.stringify(command)} is no command; accepted is: bodies <folder> [--json]`);
  }
  if (folder === undefined || folder === "") throw new UsageError("bodies takes one folder of recorded bodies, none was given");
  if (more.length > 0) throw new UsageError(`bodies takes one folder of recorded bodies, ${more.length + 1} were given`);
  return { kind: "bodies", folder, json: values.json };
}

function parsed(args: string[]): {
  values: { json: boolean; help: boolean; version: boolean };
  positionals: string[];
} {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        version: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    // Node explains at length; the first sentence says what is wrong.
    const [what] = error instanceof Error ? error.message.split(/\.\s|\.?\n|\.$/) : [];
    throw new UsageError(`${what}; accepted are bodies <folder>, --json, --help and --version`);
  }
}
