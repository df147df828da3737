/** Checks that every version is exact and stands in the catalog of pnpm-workspace.yaml, so that a commit installs the same anywhere. */
import type { Manifest } from "../workspace/packages.ts";

/** A version, or another name for one. */
const exact = /^(npm:[a-z@/-]+@)?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** One line for each version of the catalog that is not exact. */
export function catalogFaults(catalog: Readonly<Record<string, string>>): string[] {
  return Object.entries(catalog)
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => `pnpm-workspace.yaml: catalog: ${name}: expected an exact version, got ${version}`);
}

/** One line for each dependency with a version of its own. Peers are ranges, because the consumer chooses the version. */
export function manifestFaults(path: string, manifest: Partial<Manifest>): string[] {
  return (["dependencies", "devDependencies", "optionalDependencies"] as const).flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, range]) => !/^(catalog:[a-z]*|workspace:\*)$/.test(range))
      .map(([name, range]) => `${path}: ${kind}: ${name}: expected catalog: or workspace:*, got ${range}`),
  );
}
