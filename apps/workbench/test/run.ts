/** Runs a command of the workbench as a real process. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A process and what it has written so far. */
export interface Running {
  child: ChildProcess;
  output(): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string }>;
}

export function run(file: string, args: readonly string[] = [], cwd?: string): Running {
  const script = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<Awaited<Running["ended"]>>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, output }));
  });
  return { child, output: () => output, ended };
}

/** Resolves once the output holds a text; rejects with the whole output where the process ends before. */
export async function says(running: Running, text: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!running.output().includes(text)) {
    if (running.child.exitCode !== null || Date.now() > deadline) throw new Error(`never said "${text}":\n${running.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
