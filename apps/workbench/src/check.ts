/** `pnpm check`: all that CI asks for, in the order in which it fails fastest. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseFlags, root, runCommand } from "./command.ts";

const steps = [
  ["biome", "ci", "--error-on-warnings"],
  ["knip", "--no-progress", "--treat-config-hints-as-errors"],
  ["node", "apps/workbench/src/test.ts", "lint", "typecheck"],
  ["node", "apps/workbench/src/fresh.ts"],
];

await runCommand(async () => {
  parseFlags({ options: {} });
  for (const [command = "", ...args] of steps) {
    const file = command === "node" ? process.execPath : join(root, "node_modules/.bin", command);
    const { status } = spawnSync(file, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
    if (status !== 0) return status ?? 1;
  }
  return 0;
});
