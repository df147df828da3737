/** Checks dependencies: their versions are exact, and the licences of run-time dependencies and bundled packages are accepted. */

import { runPnpm } from "@chain-query/testing/processes";
import satisfies from "spdx-satisfies";
import { bundledPackages, type Manifest, publicPackages } from "../workspace/packages.ts";

/** Licences with about the same terms as MIT. */
const allowed = [
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "Unlicense",
  "CC0-1.0",
];

/** Packages that are accepted although their licence is not on the list, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "@tonstudio/parser-runtime":
    "names no licence; it comes with ton-assembly (MIT), which @ton/sandbox has for its debugger, and we load none of it",
};

/** A package and the licence that its manifest names. */
interface Licensed {
  readonly name: string;
  readonly versions: readonly string[];
  readonly license: string;
}

/** The run-time dependencies of the public packages, direct and transitive, and the packages that they bundle. */
export async function runtimeLicences(root: string): Promise<Licensed[]> {
  const bundled = publicPackages(root).flatMap(({ folder }) => bundledPackages(folder));
  const filters = publicPackages(root).flatMap(({ name }) => ["--filter", name]);
  const groups: Record<string, { name: string; versions: string[] }[]> = JSON.parse(
    await runPnpm([...filters, "licenses", "list", "--prod", "--json"], root),
  );
  return [
    ...Object.entries(groups).flatMap(([license, packages]) => packages.map((each) => ({ ...each, license }))),
    ...bundled.map(({ name, version, license }) => ({ name, versions: [version], license })),
  ];
}

/** One line for each package whose licence is not accepted, and for each exception that no package needs. */
export function licenceFaults(found: readonly Licensed[], reasons: Readonly<Record<string, string>> = exceptions): string[] {
  const refused = found.filter(({ license }) => !isAllowed(license));
  const names = new Set(refused.map(({ name }) => name));
  return [
    ...refused
      .filter(({ name }) => reasons[name] === undefined)
      .map(
        ({ name, versions, license }) => `${name} ${versions.join(", ")}: licence ${license}: expected ${allowed.join(", ")}`,
      ),
    ...Object.keys(reasons)
      .filter((name) => !names.has(name))
      .map((name) => `${name}: a licence exception that no package needs`),
  ];
}

function isAllowed(license: string): boolean {
  try {
    return satisfies(license, allowed);
  } catch {
    // Not an SPDX expression, such as "Unknown".
    return false;
  }
}

/** A version, or another name for one. */
const exact = /^(npm:[a-z@/-]+@)?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** One line for each version of the catalog that is not exact: with exact ones, a commit installs the same anywhere. */
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
