/** The pnpm that runs this script, or the one that the workspace names. */
import { execFile } from "node:child_process";
import { basename } from "node:path";
import packageJson from "../../../../package.json" with { type: "json" };

/** Starts the pnpm that the workspace names, wherever npm is. */
export const namedPnpm: readonly string[] = ["npx", "--yes", packageJson.packageManager];

/** What starts pnpm, with the arguments that come before its own. */
export function pnpmCommand(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const running = env["npm_execpath"] ?? "";
  if (!basename(running).startsWith("pnpm")) return namedPnpm;
  return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running];
}

/** How a run of pnpm ended. */
export interface PnpmAnswer {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs pnpm in a folder to its end, whatever its exit code. */
export function pnpm(args: readonly string[], cwd: string): Promise<PnpmAnswer> {
  const [command = "", ...before] = pnpmCommand();
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...before, ...args], { cwd, maxBuffer: 2 ** 28 }, (_, stdout, stderr) => {
      if (child.exitCode === null) reject(new Error(`pnpm ${args.join(" ")} was ended by ${child.signalCode}`));
      else resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

/** Runs pnpm where nothing but success makes sense, and resolves to its stdout. */
export async function mustPnpm(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await pnpm(args, cwd);
  if (code !== 0) throw new Error(`pnpm ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`.trim());
  return stdout;
}
