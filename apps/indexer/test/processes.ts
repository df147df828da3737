import { runProgram } from "@chain-query/command-line";
import { onTestFinished } from "vitest";
import { IndexerProcess, type Outcome } from "../fuzz/indexer-process.ts";
import { parseArguments } from "../src/command/arguments.ts";
import { expectedErrors, run as runCommand } from "../src/command/run.ts";

/** Starts the command. It does not outlive the current test. */
export function start(url: string, ...args: readonly string[]): IndexerProcess {
  const indexer = new IndexerProcess(url, ...args);
  onTestFinished(() => void indexer.child.kill("SIGKILL"));
  return indexer;
}

/** Runs the command to its end, in this process. */
export async function run(url: string, ...args: readonly string[]): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const output = (name: keyof typeof written) => ({
    isTTY: false,
    columns: 80,
    on: () => undefined,
    write(text: string | Uint8Array) {
      written[name] += text;
      return true;
    },
  });
  const io = {
    argv: ["node", "chain-query-indexer", ...args],
    env: { CHAIN_QUERY_POSTGRES: url },
    ...{ stdout: output("stdout"), stderr: output("stderr") },
    exitCode: 0,
    exit: () => undefined,
  };
  await runProgram("chain-query-indexer", parseArguments, (command) => runCommand(command, io), {
    expectedErrors,
    process: io,
  });
  return { code: io.exitCode, ...written };
}
