/** The public packages as tarballs, and their installation in a folder outside of the workspace. */
import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runPnpm } from "../processes.ts";
import { sharedTarballs, type Tarballs } from "./shared.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const run = promisify(execFile);

/** Copies the public packages, because packing the server writes into its dist, and packs them. */
export async function packCopy(): Promise<Tarballs & AsyncDisposable> {
  const copy = mkdtempSync(join(tmpdir(), "chain-query-tarballs-"));
  const isKept = (path: string) => !/^(node_modules|\.reports|\.turbo)$/.test(basename(path));
  for (const path of ["package.json", "pnpm-workspace.yaml", "LICENSE", "apps/docs/dist"])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  for (const path of globSync("{openapi,packages/*,apps/*}/package.json", { cwd: root })) {
    if (JSON.parse(readFileSync(join(root, path), "utf8")).private === true) continue;
    const home = dirname(path);
    cpSync(join(root, home), join(copy, home), { recursive: true, filter: isKept });
    symlinkSync(join(root, home, "node_modules"), join(copy, home, "node_modules"));
  }
  return {
    copy,
    paths: await pack(copy, join(copy, "first")),
    [Symbol.asyncDispose]: async () => rmSync(copy, { recursive: true }),
  };
}

/** Packs the packages of a copy into a folder in it, and resolves to the paths by the names of the packages. */
export async function pack(copy: string, folder: string): Promise<Readonly<Record<string, string>>> {
  await runPnpm(["--recursive", "pack", "--out", join(folder, "%s.tgz")], copy);
  const manifests = globSync("{openapi,packages/*,apps/*}/package.json", { cwd: copy });
  const names = manifests.map((path): string => JSON.parse(readFileSync(join(copy, path), "utf8")).name);
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name.replace("@", "").replace("/", "-")}.tgz`)]));
}

/** Makes a project in a folder, and installs tarballs and other packages there with npm. */
export async function installTarballs(
  folder: string,
  names: readonly string[],
  { others = {}, flags = [] }: { others?: Readonly<Record<string, string>>; flags?: readonly string[] } = {},
): Promise<void> {
  const { paths } = await sharedTarballs();
  const dependencies = { ...Object.fromEntries(names.map((name) => [name, `file:${paths[name]}`])), ...others };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  await run("npm", ["install", ...quiet, ...flags], { cwd: folder });
}
