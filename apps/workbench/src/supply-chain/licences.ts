/** The licences of all that a public package brings along at run time. */
import satisfies from "spdx-satisfies";
import { publicPackages } from "../release/packages.ts";
import { mustPnpm } from "../release/pnpm.ts";

/** Whoever uses our packages may use these on the same terms as ours, near enough. */
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

/** Packages that say it in other words, each with why it is fine all the same. */
const exceptions: Readonly<Record<string, string>> = {
  "@tonstudio/parser-runtime":
    "names no licence; it comes with ton-assembly (MIT), which @ton/sandbox has for its debugger, and nothing of ours loads it",
};

/** A package and what it says its licence is. */
export interface Licensed {
  name: string;
  versions: readonly string[];
  license: string;
}

/** Everything that the public packages depend on, however far down. */
export async function runtimeLicences(root: string): Promise<Licensed[]> {
  const filters = publicPackages(root).flatMap(({ name }) => ["--filter", name]);
  const answer = await mustPnpm([...filters, "licenses", "list", "--prod", "--json"], root);
  const groups: Record<string, { name: string; versions: string[] }[]> = answer.trim().startsWith("{")
    ? JSON.parse(answer)
    : {};
  return Object.entries(groups).flatMap(([license, packages]) => packages.map((each) => ({ ...each, license })));
}

/** One line for each package whose licence is not on the list, and for each exception that nothing needs. */
export function licenceFaults(found: readonly Licensed[], reasons: Readonly<Record<string, string>> = exceptions): string[] {
  const refused = found.filter(({ license }) => !isAllowed(license));
  const names = new Set(refused.map(({ name }) => name));
  return [
    ...refused
      .filter(({ name }) => reasons[name] === undefined)
      .map(
        ({ name, versions, license }) =>
          `${name} ${versions.join(", ")}: its licence, ${license}, is not one of ${allowed.join(", ")}`,
      ),
    ...Object.keys(reasons)
      .filter((name) => !names.has(name))
      .map((name) => `${name}: an exception that nothing needs`),
  ];
}

function isAllowed(license: string): boolean {
  try {
    return satisfies(license, allowed);
  } catch {
    // Words that are no SPDX expression, such as "Unknown".
    return false;
  }
}
