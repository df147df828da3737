/** Child processes that end as a whole, with all that they started, when the rehearsal ends. */
import { type ChildProcess, spawn } from "node:child_process";

/** Where and how a command runs. */
export interface Surroundings {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** How a command ended, and what it said. */
export interface Ended {
  code: number | null;
  stdout: string;
  /** What it wrote to stdout and stderr, in the order of arrival. */
  output: string;
}

/** Starts a command as a process group of its own, which is killed as a whole when the signal aborts. */
export function start([command = "", ...args]: readonly string[], { cwd, env, signal }: Surroundings): ChildProcess {
  signal.throwIfAborted();
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const kill = () => end(child);
  signal.addEventListener("abort", kill);
  child.once("close", () => signal.removeEventListener("abort", kill));
  return child;
}

/** Ends a process that `start` made, and all that it started. */
export function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It ended in this moment.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Runs a command to its end, whatever its exit code. One that takes longer than ten minutes has failed. */
export async function run(command: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const limit = AbortSignal.timeout(600_000);
  const child = start(command, { ...surroundings, signal: AbortSignal.any([surroundings.signal, limit]) });
  let stdout = "";
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  surroundings.signal.throwIfAborted();
  if (limit.aborted) throw new Error(`${command.join(" ")} took too long:\n${output.trim()}`);
  return { code, stdout, output };
}

/** Runs a command that has to succeed, and resolves to its stdout. */
export async function must(command: readonly string[], surroundings: Surroundings): Promise<string> {
  const { code, stdout, output } = await run(command, surroundings);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${output.trim()}`);
  return stdout;
}
