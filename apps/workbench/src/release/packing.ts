/** Packs packages as they get published. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { WorkspacePackage } from "./packages.ts";
import { mustPnpm } from "./pnpm.ts";

/** A packed package. Two packs of one commit are the same to the byte, so the integrity tells whether anything differs. */
export interface Tarball extends WorkspacePackage {
  path: string;
  /** The hash that registries and lockfiles name it by. */
  integrity: string;
}

/** Packs into a folder, which is emptied before. The packages must be built. */
export async function pack(packages: readonly WorkspacePackage[], into: string): Promise<Tarball[]> {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const tarballs: Tarball[] = [];
  for (const each of packages) {
    const path = join(into, `${fileName(each.name)}-${each.version}.tgz`);
    const { integrity }: { integrity: string } = JSON.parse(await mustPnpm(["pack", "--json", "--out", path], each.folder));
    tarballs.push({ ...each, path, integrity });
  }
  return tarballs;
}

/** A package's name as part of a file's. */
export function fileName(name: string): string {
  return name.replace(/^@/, "").replace("/", "-");
}
