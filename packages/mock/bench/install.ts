/** What an install of a package brings: itself and its dependencies, as pnpm has linked them here. */
import { existsSync, globSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The number of packages, and their unpacked bytes. */
export interface Install {
  readonly packages: number;
  readonly bytes: number;
}

/** Follows the run-time dependencies of the package in a folder. */
export function installOf(folder: string): Install {
  const seen = new Set<string>();
  const queue = [realpathSync(folder)];
  let bytes = 0;
  for (let home = queue.pop(); home !== undefined; home = queue.pop()) {
    if (seen.has(home)) continue;
    seen.add(home);
    const { files, dependencies = {} } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    // A package of this workspace packs a part of its folder.
    bytes += bytesOf(home, home.includes("node_modules") ? ["."] : [...files, "package.json", "README.md", "LICENSE"]);
    for (const name of Object.keys(dependencies)) {
      const modules = home.includes("node_modules") ? modulesAround(home) : join(home, "node_modules");
      const linked = [join(home, "node_modules", name), join(modules, name)].find(existsSync);
      if (linked === undefined) throw new Error(`${home}: ${name} is not installed`);
      queue.push(realpathSync(linked));
    }
  }
  return { packages: seen.size, bytes };
}

/** The folder `node_modules` in which pnpm has linked a package and its dependencies. */
function modulesAround(home: string): string {
  const parent = dirname(home);
  return basename(parent) === "node_modules" ? parent : dirname(parent);
}

function bytesOf(home: string, patterns: readonly string[]): number {
  const paths = patterns.flatMap((pattern) => [pattern, `${pattern}/**`]);
  return globSync(paths, { cwd: home })
    .map((path) => statSync(join(home, path)))
    .reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
}
