/** What a packed package may contain, how its types are checked, and its SBOM. */
import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { runPnpm } from "@chain-query/testing/processes";
import { list } from "tar";
import { bundledPackages, publicPackages, root } from "../workspace/packages.ts";

/** Files that npm adds to `files` of package.json. */
const always = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
const unwanted =
  /(^|\/)(\.|(test|tests|bench|fixtures)\/|[^/]*\.(test|test-d|spec|bench)\.|[^/]*\.(env|pem|key|tgz|tsbuildinfo)$|tsconfig)/;
const secrets =
  /\bnpm_[A-Za-z0-9]{36}\b|_authToken=[\w-]{8}|\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40})|\bAKIA[0-9A-Z]{16}\b|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** One line for each file that a package must not ship: outside of its `files`, a test, or with a secret or a path of this machine. */
export function fileFaults(name: string, files: ReadonlyMap<string, string>): string[] {
  const missing = ["package.json", "README.md", "LICENSE"].filter((file) => !files.has(file));
  const { files: allowed = [] }: { files?: string[] } = JSON.parse(files.get("package.json") ?? "{}");
  const folders = allowed.map((each) => each.replace(/(\*.*|\/)$/, "").replace(/\/$/, ""));
  const isAllowed = (file: string) => folders.some((each) => file === each || file.startsWith(`${each}/`));
  const places = [root.replace(/[/\\]$/, ""), homedir()].filter((path) => path.length > 5);
  const faults = [...files].flatMap(([file, text]) => [
    ...(always.test(file) || isAllowed(file) ? [] : [`${file} is not in \`files\` of package.json`]),
    ...(unwanted.test(file) ? [`${file} is for development`] : []),
    ...(secrets.test(text) ? [`${file} contains a secret`] : []),
    ...(places.some((path) => text.includes(path)) ? [`${file} contains a path of this machine`] : []),
  ]);
  return [...missing.map((file) => `${file} is missing`), ...faults].map((fault) => `${name}: ${fault}`);
}

/** The files of a tarball and their texts. */
export function filesOf(path: string): Map<string, string> {
  const files = new Map<string, string>();
  list({
    file: path,
    sync: true,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on("data", (chunk) => chunks.push(chunk));
      entry.on("end", () => files.set(entry.path.replace(/^package\//, ""), Buffer.concat(chunks).toString("latin1")));
    },
  });
  return files;
}

/** Of a package of ES modules alone, CommonJS is not checked. attw cannot resolve entries that are no modules, and old resolvers find no JSON. */
export function attwArguments({ exports = {} }: { exports?: Readonly<Record<string, unknown>> }): string[] {
  const others = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === "string" && !target.endsWith(".js") ? [entry] : [],
  );
  const profile = JSON.stringify(exports).includes('"require":') ? "strict" : "esm-only";
  return ["--profile", profile, ...(others.length > 0 ? ["--exclude-entrypoints", ...others] : [])];
}

/** The members of an SBOM that are read. */
interface Sbom {
  readonly components: { readonly purl: string }[];
}

/** Writes the SBOM (CycloneDX 1.6) of a package beside its tarball: what npm installs with it, and the packages that are in its bundles. */
export async function writeSbom(workspace: string, name: string, tarball: string): Promise<void> {
  writeFileSync(tarball.replace(/\.tgz$/, ".cdx.json"), JSON.stringify(await sbomOf(workspace, name), null, 2));
}

export async function sbomOf(workspace: string, name: string): Promise<Sbom> {
  const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6"];
  const sbom = async (...only: string[]): Promise<Sbom> =>
    JSON.parse(await runPnpm(["sbom", "--filter", name, ...only, ...format], workspace));
  const bundled = bundledPackages(publicPackages(workspace).find((one) => one.name === name)?.folder ?? "");
  const installed = await sbom("--prod");
  if (bundled.length === 0) return installed;
  const purls = bundled.map((each) => `pkg:npm/${each.name.replace("@", "%40")}@${each.version}`);
  const known = installed.components.map(({ purl }) => purl);
  const added = (await sbom()).components.filter(({ purl }) => purls.includes(purl) && !known.includes(purl));
  return { ...installed, components: [...installed.components, ...added] };
}
