/** Child processes that are killed together with their own children when the rehearsal ends. */
import { type ChildProcess, spawn } from "node:child_process";

/** Where and how a command runs. */
export interface Surroundings {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** How a command ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  /** Stdout and stderr in the order of arrival. */
  output: string;
}

/** Starts a command as its own process group, which is killed when the signal aborts. */
export function start([command = "", ...args]: readonly string[], { cwd, env, signal }: Surroundings): ChildProcess {
  signal.throwIfAborted();
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const kill = () => end(child);
  signal.addEventListener("abort", kill);
  child.once("close", () => signal.removeEventListener("abort", kill));
  return child;
}

/** Kills a process that `start` made, with its children. */
export function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has just ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Runs a command and resolves with any exit code. Kills it after ten minutes. */
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

/** Runs a command and resolves to its stdout. Rejects with its output if it fails. */
export async function must(command: readonly string[], surroundings: Surroundings): Promise<string> {
  const { code, stdout, output } = await run(command, surroundings);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${output.trim()}`);
  return stdout;
}
