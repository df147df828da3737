/** Builds, packs, checks and publishes with changesets, as `changeset publish-plan` plans it, with the dist-tags that we choose. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "@chain-query/command-line";
import { bundledPackages, publicPackages, root as repository } from "../workspace/packages.ts";
import { git, refuseDirtyTree, runPnpm } from "../workspace/processes.ts";
import { tarballFaults } from "./tarballs.ts";

/** How to release. */
interface ReleaseOptions {
  /** The folder of the workspace. */
  readonly root: string;
  /** The dist-tag, instead of that of the version. */
  readonly tag?: string | undefined;
  /** Succeed if nothing is new. */
  readonly ifNew: boolean;
}

/** Publishes every version that the registry does not have. Rejects with a UserError if the tree or a tarball is unfit. */
export async function release({ root, tag, ifNew }: ReleaseOptions): Promise<void> {
  refuseDirtyTree(root);
  const out = join(root, "dist/release");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });

  const planFile = join(out, "plan.json");
  await changeset(root, ["publish-plan", "--output", planFile]);
  const plan = withDistTags(JSON.parse(readFileSync(planFile, "utf8")), tag);
  const releases = plan.plan.flat().filter(({ kind }) => kind === "publish");
  if (releases.length > 0) {
    await build(root);
    writeFileSync(planFile, JSON.stringify(plan));
    await changeset(root, ["pack", "--from-publish-plan", planFile, "--out-dir", out]);
    await checkAndDescribe(root, out, releases);
    await changeset(root, ["publish", "--from-pack-dir", out]);
  }
  // Adds tags that an earlier run did not reach.
  await changeset(root, ["git-tag"]);
  if (releases.length > 0) {
    console.log("release: tarballs and SBOMs are in dist/release; `git push --tags` publishes the tags");
  } else if (ifNew) console.log("release: nothing is new");
  else throw new UserError("nothing is new; `pnpm run version` makes versions from changesets");
}

/**
 * Clean build: a compiler leaves the output of deleted sources behind, and a cache keeps it. The cache is per commit, so that only a
 * repeated release reuses its own output.
 */
async function build(root: string): Promise<void> {
  for (const { folder } of publicPackages(root)) rmSync(join(folder, "dist"), { recursive: true, force: true });
  const caches = join(root, "dist/release-cache");
  const cache = join(caches, git(root, "rev-parse", "HEAD").trim());
  if (!existsSync(cache)) rmSync(caches, { recursive: true, force: true });
  await runPnpm(["run", "build", "--cache-dir", cache], root);
  refuseDirtyTree(root, " after the build");
}

/** Checks every tarball before the first is published, and writes its SBOM beside it. */
async function checkAndDescribe(root: string, out: string, releases: readonly { name: string; version: string }[]) {
  const packed: PublishPlan & { plan: readonly (readonly { name: string; tarball?: { path: string } }[])[] } = JSON.parse(
    readFileSync(join(out, "publish-plan.json"), "utf8"),
  );
  const faults: string[] = [];
  for (const { name, tarball } of packed.plan.flat()) {
    if (tarball !== undefined) faults.push(...(await tarballFaults(name, join(out, tarball.path))));
  }
  if (faults.length > 0) throw new UserError(`nothing is published:\n${faults.join("\n")}`);
  for (const { name, version } of releases) {
    const path = join(out, "packages", `${name.replace(/^@/, "").replace("/", "-")}-${version}.cdx.json`);
    writeFileSync(path, JSON.stringify(await makeSbom(root, name), null, 2));
  }
}

/** Runs changesets on the workspace, with its output shown. Provenance needs the identity that only a workflow has. */
function changeset(root: string, args: readonly string[]): Promise<void> {
  const inWorkflow = process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined;
  const child = spawn(join(repository, "node_modules/.bin/changeset"), args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...(inWorkflow && { NPM_CONFIG_PROVENANCE: "true", PNPM_CONFIG_PROVENANCE: "true" }) },
    shell: process.platform === "win32",
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new UserError(`changeset ${args[0]} failed; run pnpm release again to go on`)),
    );
  });
}

/** An entry of the plan. */
interface PlannedRelease {
  readonly kind: "publish" | "tag-only";
  readonly name: string;
  readonly version: string;
  readonly tag?: string;
}

/** The plan of changesets, in groups that are published one after the other: dependencies first. */
export interface PublishPlan {
  readonly version: 1;
  readonly plan: readonly (readonly PlannedRelease[])[];
}

/** The dist-tag of a version: a release goes under `latest`, a prerelease under its first word: 2.1.0-next.0 under `next`. */
export function distTag({ name, version }: Pick<PlannedRelease, "name" | "version">): string {
  const prerelease = /^\d+\.\d+\.\d+-([^+]*)/.exec(version)?.[1];
  const word = prerelease === undefined ? "latest" : /^[a-z]+/i.exec(prerelease)?.[0];
  if (word !== undefined) return word;
  throw new UserError(`${name} ${version}: its prerelease has no word for a dist-tag; run pnpm run version, or give --tag`);
}

/** Sets the dist-tag of each package: `wanted`, or the one of its version. */
export function withDistTags({ version, plan }: PublishPlan, wanted: string | undefined): PublishPlan {
  return {
    version,
    plan: plan.map((group) =>
      group.map((each) => (each.kind === "publish" ? { ...each, tag: wanted ?? distTag(each) } : each)),
    ),
  };
}

/** The members of an SBOM that we change. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly { readonly "bom-ref": string; readonly purl: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Makes the SBOM (software bill of materials, CycloneDX 1.6) of a public package, with the installed and the bundled packages. @throws Error if the workspace does not have a package that it bundles */
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
