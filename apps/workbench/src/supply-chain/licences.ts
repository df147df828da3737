/** Checks the licences of everything that a public package installs at run time or contains. */
import satisfies from "spdx-satisfies";
import { bundledPackages, publicPackages } from "../workspace/packages.ts";
import { mustPnpm } from "../workspace/pnpm.ts";

/** Licences whose terms are about the same as those of MIT. */
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
export interface Licensed {
  readonly name: string;
  readonly versions: readonly string[];
  readonly license: string;
}

/** Everything that the public packages depend on at run time, directly or not, and what they bundle. */
export async function runtimeLicences(root: string): Promise<Licensed[]> {
  const bundled = publicPackages(root).flatMap(({ folder }) => bundledPackages(folder));
  const filters = publicPackages(root).flatMap(({ name }) => ["--filter", name]);
  const groups: Record<string, { name: string; versions: string[] }[]> = JSON.parse(
    await mustPnpm([...filters, "licenses", "list", "--prod", "--json"], root),
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
