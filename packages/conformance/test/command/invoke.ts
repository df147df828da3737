import { type RunProcess, runProgram } from "@chain-query/command-line";
import { expect } from "vitest";
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

/** Expects that the command fails with one line without secrets. */
export async function expectError(args: readonly string[], message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await invoke(args);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^chain-query-conformance: [^\n]+\n$/);
  expect(stderr).not.toContain("s3cret");
  expect([code, stdout]).toEqual([2, ""]);
}

function collector() {
  let text = "";
  const write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk);
    return true;
  };
  return { isTTY: false, columns: 80, text: () => text, write, on: () => {} };
}
