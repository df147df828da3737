/** `pnpm check`: all that CI asks for, in the order in which it fails fastest. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseFlags, root, runCommand } from "./workspace/command.ts";

/** One step after the other; what stands in one step together runs together. */
const steps = [
  [
    ["biome", "ci", "--error-on-warnings"],
    ["knip", "--no-progress", "--treat-config-hints-as-errors"],
  ],
  [["turbo", "run", "lint", "typecheck", "--output-logs=errors-only"]],
  [["node", "apps/workbench/src/test.ts"]],
  [
    ["node", "apps/workbench/src/fresh.ts"],
    ["node", "apps/workbench/src/semver.ts"],
  ],
];

await runCommand(async () => {
  parseFlags({ options: {} });
  for (const commands of steps) {
    const failed = (await Promise.all(commands.map(run))).find((code) => code !== 0);
    if (failed !== undefined) return failed;
  }
  return 0;
});

function run([command = "", ...args]: readonly string[]): Promise<number> {
  const file = command === "node" ? process.execPath : join(root, "node_modules/.bin", command);
  const child = spawn(file, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
