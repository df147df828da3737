/** Child processes that end with the matrix, and whose output is kept for whoever has to mend a failure. */
import { type ChildProcess, spawn } from "node:child_process";

/** Where and how a command runs. */
export interface CommandOptions {
  cwd: string;
  signal: AbortSignal;
  env?: Record<string, string>;
  /** After so many milliseconds the command is ended, and has failed. */
  timeoutMs?: number;
}

/** Starts a command as a process group of its own, which is killed as a whole when the signal aborts. */
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

/** Ends a process and all that it started. */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It ended in this moment.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Runs a command to its end and resolves to its output; where it fails, the error holds what it said. */
export async function run(command: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const limit = AbortSignal.timeout(options.timeoutMs ?? 60_000);
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
  throw new Error(`${command} ${args.join(" ")} ${limit.aborted ? "took too long" : `ended with ${code}`}:\n${all.trim()}`);
}
