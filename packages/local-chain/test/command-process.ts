import { type SpawnOptions, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

export const command: string = fileURLToPath(new URL(`../${manifest.bin["chain-query-local-chain"]}`, import.meta.url));

/** Exit code and output of a process. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function runProcess(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs the command to its end. */
export function run(...args: readonly string[]): Promise<Outcome> {
  return runProcess(process.execPath, [command, ...args]);
}
