/** Starts the command, in this process or in one of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@chain-query/command-line";
import { inDatabase } from "@chain-query/testing/services";
import { showIfFailed, until } from "@chain-query/testing/until";
import { onTestFinished } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { parseArguments } from "../src/command/arguments.ts";
import { run as runCommand } from "../src/command/run.ts";
import { headIn } from "./indexes.ts";

const program: string = fileURLToPath(new URL(`../${manifest.bin["chain-query-indexer"]}`, import.meta.url));

/** Exit code and output of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command and its output. */
export abstract class RunningIndexer {
  stdout = "";
  stderr = "";
  readonly #url: string;
  readonly #ended: Promise<number | null>;
  #isRunning = true;

  /** @param url - The database, which the command reads from its environment. */
  constructor(url: string, ended: (indexer: RunningIndexer) => Promise<number | null>) {
    this.#url = url;
    showIfFailed("the indexer", () => this.stdout + this.stderr);
    this.#ended = ended(this).finally(() => {
      this.#isRunning = false;
    });
  }

  /** Sends a signal. */
  abstract signal(signal: NodeJS.Signals): void;

  /** The log lines with their fields. */
  get log(): readonly Readonly<Record<string, unknown>>[] {
    return this.stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  }

  /** The phases that the log names, in order. */
  get phases(): readonly unknown[] {
    return this.log.flatMap(({ phase }) => phase ?? []);
  }

  /** Waits for a condition. Throws if the command ends before. */
  async until(isReached: () => boolean | Promise<boolean>): Promise<void> {
    await until(async () => {
      const reached = await isReached();
      if (!reached && !this.#isRunning) throw new Error(`the indexer ended unexpectedly: ${this.stderr}`);
      return reached;
    });
  }

  /** Waits until a step is published, in its database or in another one. */
  reached(seqno: number, url: string = this.#url): Promise<void> {
    return inDatabase(url, (sql) => this.until(async () => ((await headIn(sql)) ?? -1) >= seqno));
  }

  /** Sends a signal, and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<Outcome> {
    this.signal(signal);
    return this.ended();
  }

  async ended(): Promise<Outcome> {
    return { code: await this.#ended, stdout: this.stdout, stderr: this.stderr };
  }
}

/** The command in a separate process. */
export class IndexerProcess extends RunningIndexer {
  readonly child: ChildProcess;

  constructor(url: string, ...args: readonly string[]) {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, CHAIN_QUERY_POSTGRES: url },
      stdio: ["ignore", "pipe", "pipe"],
    });
    super(url, async (indexer) => {
      for (const name of ["stdout", "stderr"] as const)
        child[name].setEncoding("utf8").on("data", (text: string) => {
          indexer[name] += text;
        });
      const [code] = await once(child, "close");
      return code;
    });
    this.child = child;
  }

  override signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

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
