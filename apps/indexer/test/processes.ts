import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@chain-query/command-line";
import { onTestFinished } from "vitest";
import { IndexerProcess, type Outcome, RunningIndexer } from "../fuzz/indexer-process.ts";
import { parseArguments } from "../src/command/arguments.ts";
import { run as runCommand } from "../src/command/run.ts";

/** Starts the command in a separate process, which ends with the current test. */
export function startProcess(url: string, ...args: readonly string[]): IndexerProcess {
  const indexer = new IndexerProcess(url, ...args);
  onTestFinished(() => void indexer.signal("SIGKILL"));
  return indexer;
}

/** Starts the command in this process. It ends with the current test. */
export function start(url: string, ...args: readonly string[]): RunningIndexer {
  const indexer = new InProcessIndexer(url, ...args);
  onTestFinished(async () => void (await indexer.end("SIGTERM")));
  return indexer;
}

/** Runs the command to its end, in this process. */
export function run(url: string, ...args: readonly string[]): Promise<Outcome> {
  return new InProcessIndexer(url, ...args).ended();
}

class InProcessIndexer extends RunningIndexer {
  readonly #signals: EventEmitter;
  #isSignalled = false;

  constructor(url: string, ...args: readonly string[]) {
    const signals = new EventEmitter();
    const state = mkdtempSync(join(tmpdir(), "chain-query-indexer-"));
    super(url, async (indexer) => {
      const output = (name: "stdout" | "stderr") => ({
        isTTY: false,
        columns: 80,
        on: () => undefined,
        write(text: string | Uint8Array) {
          indexer[name] += text;
          return true;
        },
      });
      const io = Object.assign(signals, {
        argv: ["node", "chain-query-indexer", ...args],
        env: { CHAIN_QUERY_POSTGRES: url, STATE_DIRECTORY: state },
        ...{ stdout: output("stdout"), stderr: output("stderr") },
        exitCode: 0,
        exit: () => undefined,
      });
      try {
        await runProgram("chain-query-indexer", parseArguments, (command) => runCommand(command, io), { process: io });
      } finally {
        rmSync(state, { recursive: true, force: true });
      }
      return io.exitCode;
    });
    this.#signals = signals;
  }

  override signal(signal: NodeJS.Signals): void {
    if (this.#isSignalled) return;
    this.#isSignalled = true;
    if (this.#signals.emit(signal)) return;
    // The command does not listen yet.
    this.#signals.on("newListener", (name, listener) => name === signal && queueMicrotask(() => listener()));
  }
}
