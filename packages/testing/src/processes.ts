/** Runs commands with their children, and pnpm. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** The folder and the environment of a command, by default that of this process; it is killed when the signal aborts. */
export interface RunOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** The result of a command. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  /** Stdout and stderr in the order of arrival. */
  output: string;
}

/** Starts a command as its own process group, which is killed when the signal aborts. */
export function start([command = "", ...args]: readonly string[], { cwd, env, signal }: RunOptions): ChildProcess {
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

/** Waits for the end of a process. `onOutput` receives all output so far, whenever there is more. */
export function resultOf(child: ChildProcess, onOutput: (output: string) => void = () => {}): Promise<CommandResult> {
  let stdout = "";
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      if (stream === child.stdout) stdout += text;
      output += text;
      onOutput(output);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, output }));
  });
}

/** Runs a command and resolves with any exit code. Kills it after ten minutes. */
export async function run(command: readonly string[], options: RunOptions): Promise<CommandResult> {
  const limit = AbortSignal.timeout(600_000);
  const result = await resultOf(start(command, { ...options, signal: AbortSignal.any([options.signal, limit]) }));
  options.signal.throwIfAborted();
  if (limit.aborted) throw new Error(`${command.join(" ")} took too long:\n${result.output.trim()}`);
  return result;
}

/** Runs a command and resolves to its stdout. Rejects with its output if it fails. */
export async function runChecked(command: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, output } = await run(command, options);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${output.trim()}`);
  return stdout;
}

const { packageManager }: { packageManager: string } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
);

/** Starts the version of pnpm that package.json names, on any machine that has npm. */
export const namedPnpm: readonly string[] = ["npx", "--yes", packageManager];

/** The command that starts pnpm, with the arguments before its own: the pnpm that runs this script, or else the one of package.json. */
export function pnpmCommand(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const running = env["npm_execpath"] ?? "";
  if (!basename(running).startsWith("pnpm")) return namedPnpm;
  return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running];
}

/** Runs pnpm and resolves to its stdout. Rejects with its output if it fails. */
export async function runPnpm(args: readonly string[], cwd: string): Promise<string> {
  const [command = "", ...before] = pnpmCommand();
  return new Promise((resolve, reject) => {
    execFile(command, [...before, ...args], { cwd, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`pnpm ${args.join(" ")} ended with ${error.code ?? error.signal}:\n${stdout}${stderr}`.trim()));
    });
  });
}
