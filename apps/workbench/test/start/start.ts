/** Starts `pnpm start` without its build. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../src/start/command.ts", import.meta.url));
export const freePorts = ["--service-port=0", "--port=0", "--docs-port=0"] as const;

export function start(...args: string[]) {
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
