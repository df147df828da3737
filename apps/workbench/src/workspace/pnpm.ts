/** Runs pnpm: the one that runs this script, or else the version that package.json names. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./command.ts";

const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Starts the version of pnpm that package.json names, on any machine that has npm. */
export const namedPnpm: readonly string[] = ["npx", "--yes", packageManager];

/** The command that starts pnpm, with the arguments that come before its own. */
export function pnpmCommand(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const running = env["npm_execpath"] ?? "";
  if (!basename(running).startsWith("pnpm")) return namedPnpm;
  return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running];
}

/** How a run of pnpm ended. */
export interface PnpmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs pnpm in a folder and resolves with any exit code. */
export function runPnpm(args: readonly string[], cwd: string): Promise<PnpmResult> {
  const [command = "", ...before] = pnpmCommand();
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...before, ...args], { cwd, maxBuffer: 2 ** 28 }, (_, stdout, stderr) => {
      if (child.exitCode === null) reject(new Error(`pnpm ${args.join(" ")} was ended by ${child.signalCode}`));
      else resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

/** Runs pnpm and resolves to its stdout. Rejects with its output if it fails. */
export async function mustPnpm(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runPnpm(args, cwd);
  if (code !== 0) throw new Error(`pnpm ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`.trim());
  return stdout;
}
