/** The packages of the workspace, read from its folders, so that a new package needs no list. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/** The root of this workspace. */
export const root: string = fileURLToPath(new URL("../../../../", import.meta.url));

/** The members of a package.json that these commands read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** A package of the workspace and its folder. */
export interface WorkspacePackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every package of the workspace at `root`, private ones too, without the root itself. */
export function workspacePackages(root: string): WorkspacePackage[] {
  const { packages }: { packages: string[] } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"));
  return globSync(
    packages.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  )
    .sort()
    .map((path) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(root, path), "utf8"));
      return { name: manifest.name, version: manifest.version, folder: join(root, dirname(path)), manifest };
    });
}

/** The packages that are published. */
export function publicPackages(root: string): WorkspacePackage[] {
  return workspacePackages(root).filter(({ manifest }) => manifest.private !== true);
}

/** A package whose code is in a file of another one. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The packages that the build of a package has bundled into its files, from `dist/bundled.json`. */
export function bundledPackages(folder: string): BundledPackage[] {
  const list = join(folder, "dist/bundled.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}
