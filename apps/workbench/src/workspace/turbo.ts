/** Runs tasks of the workspace through turbo. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./command.ts";

/** Resolves to turbo's exit code. Its telemetry is off. */
export function turbo(tasks: readonly string[], flags: readonly string[] = []): Promise<number> {
  const child = spawn(join(root, "node_modules/.bin/turbo"), ["run", ...tasks, ...flags], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" },
    // A script of npm's makers on Windows is a .cmd file, which only a shell can run.
    shell: process.platform === "win32",
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
}
