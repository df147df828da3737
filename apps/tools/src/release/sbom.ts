/** SBOMs (software bills of materials) in CycloneDX 1.6, with the installed and the bundled packages. */
import { bundledPackages, publicPackages } from "../workspace/packages.ts";
import { runPnpm } from "../workspace/processes.ts";

/** The members of an SBOM that we change. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly { readonly "bom-ref": string; readonly purl: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Makes the SBOM of a public package. @throws Error if the workspace does not have a package that it bundles */
export async function makeSbom(root: string, name: string): Promise<Sbom> {
  const sbom = async (...only: string[]): Promise<Sbom> => {
    const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6"];
    return JSON.parse(await runPnpm(["sbom", "--filter", name, ...only, ...format], root));
  };
  const folder = publicPackages(root).find((one) => one.name === name)?.folder ?? "";
  const bundled = bundledPackages(folder).map(({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`);
  const installed = await sbom("--prod");
  return bundled.length === 0 ? installed : withBundled(installed, await sbom(), bundled);
}

/** Adds the bundled packages, which the complete SBOM describes, as dependencies of the package itself. */
export function withBundled(installed: Sbom, complete: Sbom, bundled: readonly string[]): Sbom {
  const missing = bundled.filter((purl) => !complete.components.some((one) => one.purl === purl));
  if (missing.length > 0) throw new Error(`bundled, but not installed: ${missing.join(", ")}`);
  const own = installed.metadata.component["bom-ref"];
  const added = complete.components.filter(
    ({ purl }) => bundled.includes(purl) && !installed.components.some((one) => one.purl === purl),
  );
  const refs = added.map((one) => one["bom-ref"]);
  return {
    ...installed,
    components: [...installed.components, ...added],
    dependencies: [
      ...installed.dependencies.map((one) => (one.ref === own ? { ...one, dependsOn: [...one.dependsOn, ...refs] } : one)),
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}
