/** Runs pnpm: the one that runs this script, or else the version that package.json names. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./packages.ts";

const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Starts the version of pnpm that package.json names, on any machine that has npm. */
export const namedPnpm: readonly string[] = ["npx", "--yes", packageManager];

/** The command that starts pnpm, with the arguments that come before its own. */
export function pnpmCommand(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const running = env["npm_execpath"] ?? "";
  if (!basename(running).startsWith("pnpm")) return namedPnpm;
  return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running];
}

/** Runs pnpm and resolves to its stdout. Rejects with its output if it fails. */
export async function mustPnpm(args: readonly string[], cwd: string): Promise<string> {
  const [command = "", ...before] = pnpmCommand();
  return new Promise((resolve, reject) => {
    execFile(command, [...before, ...args], { cwd, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`pnpm ${args.join(" ")} ended with ${error.code ?? error.signal}:\n${stdout}${stderr}`.trim()));
    });
  });
}
