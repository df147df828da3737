/** `pnpm check`: every check of a change. CI runs it with `--all`. */
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { refuseDirtyTree, runTool, turbo } from "../workspace/processes.ts";

const commands = {
  "": {
    summary: "runs lint, types, the semver policy, and the unit and system tests",
    flags: { all: { help: "also the audit and the long tests, among them the release dry run, as CI does" } },
  },
} as const;

await runCommand("check", commands, async ({ all }) => {
  const checks = ["lint", "lint:all", "typecheck", "semver", ...(all ? ["audit"] : [])];
  if ((await turbo(["build", ...checks], ["--continue", "--output-logs=errors-only", "--summarize=false"])) !== 0) {
    console.log("0 passed, 1 failed");
    return 1;
  }
  refuseDirtyTree(root, " after pnpm generate", "*.gen.ts");
  const projects = ["unit", "types", "system", ...(all ? ["long"] : [])];
  const refuseSkips = all ? { CHAIN_QUERY_REFUSE_SKIPS: "1" } : {};
  return runTool("vitest", ["run", ...projects.flatMap((project) => ["--project", project])], refuseSkips);
});
