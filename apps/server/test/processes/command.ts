/** The command as a person runs it, in a process of its own. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand extends AsyncDisposable {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ended>;
  /** The first line of its output. */
  readonly url: Promise<string>;
  /** What it has logged so far, line by line. */
  log(): Record<string, unknown>[];
  stderr(): string;
}

/** Starts the command. */
export function start(...args: string[]): RunningCommand {
  return running(spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] }));
}

/** Starts the command by a script of the shell, which ends in `exec "$@"`. */
export function startWith(script: string, ...args: string[]): RunningCommand {
  return running(spawn("sh", ["-c", script, "sh", process.execPath, program, ...args], { stdio: ["ignore", "pipe", "pipe"] }));
}

function running(child: RunningCommand["child"]): RunningCommand {
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding("utf8");
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (text: string) => {
      stdout += text;
      const [line] = stdout.split("\n");
      if (stdout.includes("\n") && line !== undefined) resolve(line);
    });
    child.once("close", () => reject(new Error(`it ended before it answered: ${stderr}`)));
  });
  url.catch(() => {});
  const ended = once(child, "close").then(([code]): Ended => ({ code: code as number | null, stdout, stderr }));
  return {
    child,
    ended,
    url,
    stderr: () => stderr,
    log: () => stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Runs the command to its end. */
export function run(...args: string[]): Promise<Ended> {
  return start(...args).ended;
}

/** Waits until something is so. */
export async function until<Value>(look: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Whether a process lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
