/** What a compiler wrote for sources that are gone since: it never takes anything away. */
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { WorkspacePackage } from "./packages.ts";

/** Removes compiled files whose source is no longer there, so that no package ships them. */
export function removeLeftovers(packages: readonly WorkspacePackage[]): void {
  for (const { folder } of packages) {
    for (const path of globSync("dist/**/*.map", { cwd: folder })) {
      const map = join(folder, path);
      const { sources = [] }: { sources?: string[] } = JSON.parse(readFileSync(map, "utf8"));
      if (sources.every((source) => existsSync(join(dirname(map), source)))) continue;
      rmSync(map);
      rmSync(map.slice(0, -".map".length), { force: true });
    }
  }
}
