/** A bill of materials for each package: all that it brings along at run time. */
import { join } from "node:path";
import type { WorkspacePackage } from "./packages.ts";
import { fileName } from "./packing.ts";
import { mustPnpm } from "./pnpm.ts";

/** Writes a CycloneDX document for each package into a folder, beside its tarball, and resolves to their paths. */
export async function writeSboms(packages: readonly WorkspacePackage[], root: string, into: string): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, version } of packages) {
    const path = join(into, `${fileName(name)}-${version}.cdx.json`);
    const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6"];
    await mustPnpm(["sbom", "--filter", name, "--prod", ...format, "--out", path], root);
    paths.push(path);
  }
  return paths;
}
