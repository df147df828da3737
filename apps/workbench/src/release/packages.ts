/** What the workspace publishes, read from the workspace itself, so that a new package is never forgotten. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";

/** The members of a package.json that a release reads. */
export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  license?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  bin?: Record<string, string>;
  exports?: unknown;
  scripts?: Record<string, string>;
}

/** A package of the workspace and where it lies. */
export interface WorkspacePackage {
  name: string;
  version: string;
  folder: string;
  manifest: Manifest;
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

/**
 * The packages that get published, each after those that it depends on, so that nothing in a registry ever asks for what is not
 * there yet.
 */
export function publicPackages(root: string): WorkspacePackage[] {
  const waiting = workspacePackages(root).filter(({ manifest }) => manifest.private !== true);
  const ordered: WorkspacePackage[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((each) => !waiting.some(({ name }) => name in runtimeDependencies(each.manifest)));
    if (ready < 0)
      throw new Error(`packages that depend on each other in a circle: ${waiting.map(({ name }) => name).join(", ")}`);
    ordered.push(...waiting.splice(ready, 1));
  }
  return ordered;
}

function runtimeDependencies({ dependencies, optionalDependencies, peerDependencies }: Manifest): Record<string, string> {
  return { ...dependencies, ...optionalDependencies, ...peerDependencies };
}
