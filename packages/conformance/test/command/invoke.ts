import { type RunProcess, runProgram } from "@chain-query/command-line";
import { parseArguments } from "../../src/command/arguments.ts";
import { run } from "../../src/command/run.ts";

/** The output and exit code of a command. */
export interface Outcome {
  readonly code: RunProcess["exitCode"];
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process. */
export async function invoke(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const { signal } = new AbortController();
  const [stdout, stderr] = [collector(), collector()];
  const io = {
    argv: ["node", "conformance", ...args],
    env,
    stdout,
    stderr,
    exitCode: undefined as RunProcess["exitCode"],
    exit: () => {},
  };
  const main = (command: Parameters<typeof run>[0]): Promise<number> =>
    run(command, { stdout, stderr, colored: false, signal });
  await runProgram("chain-query-conformance", parseArguments, main, { process: io });
  return { code: io.exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

interface Collector {
  readonly isTTY: boolean;
  readonly columns: number;
  text(): string;
  write(chunk: string | Uint8Array): boolean;
  on(): void;
}

function collector(): Collector {
  let text = "";
  return {
    isTTY: false,
    columns: 80,
    text: () => text,
    write: (chunk) => {
      text += String(chunk);
      return true;
    },
    on: () => {},
  };
}
