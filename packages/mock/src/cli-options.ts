import { parseArgs } from "node:util";

/** What the command line asks for. */
export type Wish = { kind: "help" } | { kind: "version" } | { kind: "serve"; port: number; host: string };

/** Thrown where the command line makes no sense; the message is the one line to print. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The text of `--help`. */
export const help = `Usage: chain-query-mock [--port <number>] [--host <address>]

Answers the Chain Query HTTP API from the examples of its contract, until Ctrl-C.

  --port <number>   port to listen on, 0 for any free one (default 4010)
  --host <address>  address to listen on (default 127.0.0.1, this machine only)
  --version         print the version
  --help            print this

A request can choose its answer: -H 'Prefer: code=429' or -H 'Prefer: example=frozen'.
`;

/** Reads the arguments of the command. */
export function wishIn(args: string[]): Wish {
  const { port, host, help, version } = valuesIn(args);
  if (help) return { kind: "help" };
  if (version) return { kind: "version" };
  return { kind: "serve", port: portIn(port), host };
}

function valuesIn(args: string[]): { port: string; host: string; help: boolean; version: boolean } {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: "string", default: "4010" },
        host: { type: "string", default: "127.0.0.1" },
        help: { type: "boolean", default: false },
        version: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    // Node explains at length, over several lines; the first sentence says what is wrong.
    const [what] = error instanceof Error ? error.message.split(/\.\s|\.?\n|\.$/) : [];
    throw new UsageError(`${what}; accepted are --port <0 to 65535>, --host <address>, --help and --version`);
  }
}

function portIn(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  throw new UsageError(
    `--port ${JSON.stringify(text)} is not a port; a whole number from 0 to 65535 is accepted, 0 for any free one`,
  );
}
