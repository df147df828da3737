/** The rows of the matrix, and child processes that end with it; the report of a failure has their output. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** One check of the package in a project, which rejects if it fails. */
export interface Row {
  readonly name: string;
  readonly prove: (tools: Tools) => Promise<void>;
}

export const row = (runtime: string, version: string, what: string, prove: Row["prove"]): Row => ({
  name: `${runtime} ${version} ${what}`,
  prove,
});

/** What a row works with: its commands run in the project, and end with the test. */
export interface Tools {
  readonly signal: AbortSignal;
  readonly skip: (reason: string) => never;
  /** As {@link run}. */
  readonly run: (command: string, args: readonly string[], options?: Partial<CommandOptions>) => Promise<string>;
  /** Runs the Node.js of the tests. */
  readonly node: (...args: string[]) => Promise<string>;
  /** As {@link start}. */
  readonly start: (command: string, args: readonly string[], options?: Partial<CommandOptions>) => ChildProcess;
  /** The path of a file that packages install; see `installed`. */
  readonly installed: (name: string, packages: Readonly<Record<string, string>>, path: string) => Promise<string>;
}

/** The folder, signal and limits of a command. */
interface CommandOptions {
  cwd: string;
  signal: AbortSignal;
  env?: Record<string, string>;
  /** Milliseconds after which the command is killed and fails. */
  timeoutMs?: number;
}

/** Starts a command in its own process group, which is killed when the signal aborts. */
export function start(command: string, args: readonly string[], { cwd, signal, env }: CommandOptions): ChildProcess {
  signal.throwIfAborted();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const kill = (): void => killGroup(child);
  signal.addEventListener("abort", kill);
  child.once("close", () => signal.removeEventListener("abort", kill));
  return child;
}

/** The first line that a command prints. */
export async function firstLine({ stdout, spawnfile }: ChildProcess): Promise<string> {
  for await (const line of createInterface(stdout ?? process.stdin)) return line;
  throw new Error(`${spawnfile} ended without a line`);
}

/** Kills a process and its children. */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has just ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Runs a command and resolves to its stdout. The error of a failure holds all of its output. */
export async function run(command: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const limit = AbortSignal.timeout(options.timeoutMs ?? 300_000);
  const child = start(command, args, { ...options, signal: AbortSignal.any([options.signal, limit]) });
  let stdout = "";
  let all = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    all += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    all += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  options.signal.throwIfAborted();
  if (code === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")} ${limit.aborted ? "timed out" : `exited with ${code}`}:\n${all.trim()}`);
}
