/** A program of the workspace in a process of its own. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export type ProgramName = "server" | "indexer";
type Environment = Readonly<Record<string, string>>;

/** A program that listens. */
export interface RunningProgram extends AsyncDisposable {
  readonly child: ChildProcess;
  /** The first line on stdout. */
  readonly url: string;
  readonly port: number;
  /** Ends it as an operator does, and waits. Its disposal ends it at once. */
  stop(): Promise<void>;
}

/** Starts a program, and waits until it prints its URL. */
export async function startProgram(
  name: ProgramName,
  args: readonly string[],
  environment: Environment,
): Promise<RunningProgram> {
  const child = spawn(process.execPath, [pathOf(name), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const exited = once(child, "close");
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    exited.then(([code]): never => {
      throw new Error(`${name} exited with ${code} before it listened: ${log}`);
    }),
  ]);
  const url = String(line).trim();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return {
    child,
    url,
    port: Number(new URL(url).port),
    stop: () => end("SIGTERM"),
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

/** Runs a program to its end, and returns what it printed. */
export async function runProgram(name: ProgramName, args: readonly string[], environment: Environment): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [pathOf(name), ...args], { env });
  return stdout.trim();
}

function pathOf(name: ProgramName): string {
  const manifest = import.meta.resolve(`@chain-query/${name}/package.json`);
  return fileURLToPath(new URL(`bin/chain-query-${name}.js`, manifest));
}
