/** Starts `pnpm start` without its build. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../src/start/command.ts", import.meta.url));
export const freePorts = ["--service-port=0", "--port=0", "--docs-port=0"] as const;

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: unknown; readonly output: string }>;
  /** Resolves to the output when it contains the text. */
  prints(text: string): Promise<string>;
}

export function start(...args: string[]): Started {
  const child = spawn(process.execPath, [program, "--no-build", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const waiting: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const check of waiting) check();
    });
  }
  const ended = once(child, "close").then(([code]) => ({ code, output }));
  const prints = (text: string) => {
    const printed = new Promise<string>((resolve) => waiting.push(() => output.includes(text) && resolve(output)));
    return Promise.race([printed, ended.then(() => Promise.reject(new Error(`ended without "${text}":\n${output}`)))]);
  };
  return { child, ended, prints };
}
