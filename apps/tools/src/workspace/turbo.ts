/** Runs tasks of the workspace through turbo. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "./packages.ts";

/** Resolves to turbo's exit code. Its telemetry is off. */
export async function turbo(tasks: readonly string[], flags: readonly string[] = []): Promise<number> {
  const child = spawn(join(root, "node_modules/.bin/turbo"), ["run", ...tasks, ...flags], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" },
    // On Windows the program is a .cmd file, which only a shell runs.
    shell: process.platform === "win32",
  });
  const [code, signal] = await once(child, "exit");
  return code ?? (signal === "SIGINT" ? 130 : 1);
}
