import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A program of this folder in a process of its own, with a JSON value in each line. It ends when its input ends. */
export interface BenchProcess extends AsyncDisposable {
  /** The next value of its output. */
  next(): Promise<unknown>;
  send(value: unknown): void;
}

/** Starts a program of this folder. It ends with this process, however this ends. */
export function startProcess(program: string, ...args: readonly string[]): BenchProcess {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${program} ended early`);
      return JSON.parse(value);
    },
    send: (value) => void child.stdin.write(`${JSON.stringify(value)}\n`),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await closed;
    },
  };
}
