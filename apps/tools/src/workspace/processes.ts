/** Runs commands: programs with their children, turbo, pnpm and git. */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { UserError } from "@chain-query/command-line";
import { root } from "./packages.ts";

/** The folder and the environment of a command; it is killed when the signal aborts. */
export interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
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

/** The environment of this process, without telemetry of the programs that it starts. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" };
}

/** The path of a tool that the root or this package has. */
export function toolOf(name: "changeset" | "publint" | "attw" | "turbo" | "vitest"): string {
  return join(root, name === "publint" || name === "attw" ? "apps/tools/node_modules/.bin" : "node_modules/.bin", name);
}

/** Runs tasks of the workspace through turbo, and resolves to its exit code. A quiet run is shown only if it fails. */
export function turbo(tasks: readonly string[], flags: readonly string[] = [], quiet = false): Promise<number> {
  return runTool("turbo", ["run", ...tasks, ...flags], {}, quiet);
}

/** Runs a tool with its output shown, and resolves to its exit code. */
export async function runTool(
  name: "turbo" | "vitest",
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  quiet = false,
): Promise<number> {
  const child = spawn(toolOf(name), args, {
    cwd: root,
    stdio: quiet ? "pipe" : "inherit",
    env: { ...ownEnvironment(), ...env },
    // On Windows the program is a .cmd file, which only a shell runs.
    shell: process.platform === "win32",
  });
  const { code, output } = await resultOf(child);
  if (code !== 0) process.stderr.write(output);
  return code ?? (child.signalCode === "SIGINT" ? 130 : 1);
}

/** Variables that package managers set for a script. Those for registry, proxy and certificates belong to the machine and stay. */
const ofScripts =
  /^(npm_(?!config_).*|npm_config_(local_prefix|global_prefix|prefix|npm_version|node_gyp|user_agent|init_module)|pnpm_(script_src_dir|config_verify_deps_before_run|package_name)|node_path|init_cwd|vitest.*)$/i;

/** The environment of the user, without the variables of the running script and the commands of the workspace; its Node.js comes first. */
export function machineEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const path = (env["PATH"] ?? "").split(delimiter).filter((entry) => !/\bnode_modules\b/.test(entry));
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !ofScripts.test(name))),
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    REDOCLY_TELEMETRY: "off",
    CI: "true",
  };
}

const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

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

/** Runs git and returns its stdout. */
export function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

/** Throws a UserError if the tree differs from its commit, because the result could not be made again from the commit. */
export function refuseDirtyTree(root: string, when = "", ...paths: readonly string[]): void {
  const changed = git(root, "status", "--porcelain", "--", ...paths)
    .trimEnd()
    .split("\n")
    .filter(Boolean);
  if (changed.length === 0) return;
  const first = changed[0]?.slice(3);
  const others = changed.length === 1 ? "" : ` and ${changed.length - 1} more`;
  throw new UserError(
    `${first}${others} differ${changed.length === 1 ? "s" : ""} from the commit${when}; commit or stash first`,
  );
}
