import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

export const command: string = fileURLToPath(new URL(`../${manifest.bin["chain-query-indexer"]}`, import.meta.url));

/** Exit code and output of a process. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command, with what it wrote so far. */
export class IndexerProcess {
  readonly child: ChildProcess;
  stdout = "";
  stderr = "";
  readonly #closed: Promise<number | null>;

  /** @param url - The database, which the command takes from its environment. */
  constructor(url: string, ...args: readonly string[]) {
    this.child = spawn(process.execPath, [command, ...args], {
      env: { ...process.env, CHAIN_QUERY_POSTGRES: url },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.#closed = once(this.child, "close").then(([code]) => code);
  }

  /** The log lines with their fields. */
  get log(): readonly Readonly<Record<string, unknown>>[] {
    return this.stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  }

  /** The phases that the log names, in order. */
  get phases(): readonly unknown[] {
    return this.log.flatMap(({ phase }) => phase ?? []);
  }

  /** Sends a signal, and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<Outcome> {
    this.child.kill(signal);
    return this.ended();
  }

  async ended(): Promise<Outcome> {
    return { code: await this.#closed, stdout: this.stdout, stderr: this.stderr };
  }
}
