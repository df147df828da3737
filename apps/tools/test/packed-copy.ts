/** The public packages, packed in a copy of the workspace. */
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { expect } from "vitest";
import { publicPackages, root, type WorkspacePackage } from "../src/workspace/packages.ts";
import { runPnpm } from "../src/workspace/processes.ts";

export const packages: readonly WorkspacePackage[] = publicPackages(root);

/** A copy of the workspace, because packing the server writes into its dist. */
export interface PackedCopy {
  readonly folder: string;
  /** The path of the tarball of a package. */
  tarball(one: WorkspacePackage): string;
  remove(): void;
}

const fileName = ({ name, version }: WorkspacePackage): string => `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;

/** Packs all public packages in a new copy. */
export async function packCopy(): Promise<PackedCopy> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-tarballs-"));
  const kept = (path: string) => !/^(node_modules|\.reports|\.turbo)$/.test(basename(path));
  for (const path of ["package.json", "pnpm-workspace.yaml", "LICENSE", "apps/docs/dist"]) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  for (const one of packages) {
    const home = join(folder, relative(root, one.folder));
    cpSync(one.folder, home, { recursive: true, filter: kept });
    symlinkSync(join(one.folder, "node_modules"), join(home, "node_modules"));
  }
  await runPnpm(["--recursive", "pack", "--pack-destination", join(folder, "first")], folder);
  return {
    folder,
    tarball: (one) => join(folder, "first", fileName(one)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Packs a package again, and expects the bytes of the first time. */
export async function expectSameBytes(copy: PackedCopy, one: WorkspacePackage): Promise<void> {
  const home = join(copy.folder, relative(root, one.folder));
  // A fresh clone has other times.
  utimesSync(join(home, "README.md"), new Date(), new Date());
  await runPnpm(["pack", "--pack-destination", join(copy.folder, "second")], home);
  const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
  expect(digest(join(copy.folder, "second", fileName(one)))).toBe(digest(copy.tarball(one)));
}
