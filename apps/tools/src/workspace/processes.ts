/** Runs turbo, other tools and git, and the environments of commands. */
import { execFileSync, spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { UserError } from "@chain-query/command-line";
import { resultOf } from "@chain-query/testing/processes";
import { root } from "./packages.ts";

/** The environment of this process, without telemetry of the programs that it starts. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" };
}

/** The path of a tool that the root or this package has. */
export function toolOf(name: "changeset" | "publint" | "attw" | "turbo" | "vitest"): string {
  return join(root, name === "publint" || name === "attw" ? "apps/tools/node_modules/.bin" : "node_modules/.bin", name);
}

/** Runs tasks of the workspace through turbo, and resolves to its exit code. A quiet run is shown only if it fails. */
export function turbo(tasks: readonly string[], flags: readonly string[] = [], quiet = false): Promise<number> {
  return runTool("turbo", ["run", ...tasks, ...flags], {}, quiet);
}

/** Runs a tool with its output shown, and resolves to its exit code. */
export async function runTool(
  name: "turbo" | "vitest",
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  quiet = false,
): Promise<number> {
  const child = spawn(toolOf(name), args, {
    cwd: root,
    stdio: quiet ? "pipe" : "inherit",
    env: { ...ownEnvironment(), ...env },
    // On Windows the program is a .cmd file, which only a shell runs.
    shell: process.platform === "win32",
  });
  const { code, output } = await resultOf(child);
  if (code !== 0) process.stderr.write(output);
  return code ?? (child.signalCode === "SIGINT" ? 130 : 1);
}

/** Variables that package managers set for a script. Those for registry, proxy and certificates belong to the machine and stay. */
const ofScripts =
  /^(npm_(?!config_).*|npm_config_(local_prefix|global_prefix|prefix|npm_version|node_gyp|user_agent|init_module)|pnpm_(script_src_dir|config_verify_deps_before_run|package_name)|node_path|init_cwd|vitest.*)$/i;

/** The environment of the user, without the variables of the running script and the commands of the workspace; its Node.js comes first. */
export function machineEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const path = (env["PATH"] ?? "").split(delimiter).filter((entry) => !/\bnode_modules\b/.test(entry));
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !ofScripts.test(name))),
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    REDOCLY_TELEMETRY: "off",
    CI: "true",
  };
}

/** Runs git and returns its stdout. */
export function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

/** Throws a UserError if the tree differs from its commit, because the result could not be made again from the commit. */
export function refuseDirtyTree(root: string, when = "", ...paths: readonly string[]): void {
  const changed = git(root, "status", "--porcelain", "--", ...paths)
    .trimEnd()
    .split("\n")
    .filter(Boolean);
  if (changed.length === 0) return;
  const first = changed[0]?.slice(3);
  const others = changed.length === 1 ? "" : ` and ${changed.length - 1} more`;
  throw new UserError(
    `${first}${others} differ${changed.length === 1 ? "s" : ""} from the commit${when}; commit or stash first`,
  );
}
