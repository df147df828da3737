/** Builds, packs, checks and publishes with changesets. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../workspace/command-line.ts";
import { git, refuseDirtyTree } from "../workspace/git-tree.ts";
import { publicPackages, root as workbenchRoot } from "../workspace/packages.ts";
import { mustPnpm } from "../workspace/pnpm.ts";
import { billOf } from "./bill.ts";
import { type PublishPlan, withDistTags } from "./plan.ts";
import { tarballFaults } from "./tarballs.ts";

/** How to release. */
export interface ReleaseOptions {
  /** The folder of the workspace. */
  readonly root: string;
  /** The dist-tag, instead of the one that the version asks for. */
  readonly tag?: string | undefined;
  /** Succeed if nothing is new. */
  readonly ifNew: boolean;
}

/** Publishes every version that the registry does not have. Rejects with a UsageError if the tree or a tarball is unfit. */
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
  // Tags what an earlier run published but could not tag.
  await changeset(root, ["git-tag"]);
  if (releases.length > 0) {
    console.log("release: tarballs and bills of materials are in dist/release; `git push --tags` publishes the tags");
  } else if (ifNew) console.log("release: nothing is new");
  else throw new UsageError("nothing is new; `pnpm run version` makes versions from changesets");
}

/**
 * Builds from nothing: a compiler leaves the output of deleted sources behind, and a cache keeps it. The cache here is that of releases of
 * this commit, so that only a release that is run again finds its own output there.
 */
async function build(root: string): Promise<void> {
  for (const { folder } of publicPackages(root)) rmSync(join(folder, "dist"), { recursive: true, force: true });
  const caches = join(root, "dist/release-cache");
  const cache = join(caches, git(root, "rev-parse", "HEAD").trim());
  if (!existsSync(cache)) rmSync(caches, { recursive: true, force: true });
  await mustPnpm(["run", "build", "--cache-dir", cache], root);
  refuseDirtyTree(root, " after the build");
}

/** Checks every tarball before the first is published, and writes a CycloneDX bill of materials beside it. */
async function checkAndDescribe(root: string, out: string, releases: readonly { name: string; version: string }[]) {
  const packed: PublishPlan & { plan: readonly (readonly { name: string; tarball?: { path: string } }[])[] } = JSON.parse(
    readFileSync(join(out, "publish-plan.json"), "utf8"),
  );
  const faults: string[] = [];
  for (const { name, tarball } of packed.plan.flat()) {
    if (tarball !== undefined) faults.push(...(await tarballFaults(name, join(out, tarball.path))));
  }
  if (faults.length > 0) throw new UsageError(`nothing is published:\n${faults.join("\n")}`);
  for (const { name, version } of releases) {
    const path = join(out, "packages", `${name.replace(/^@/, "").replace("/", "-")}-${version}.cdx.json`);
    writeFileSync(path, JSON.stringify(await billOf(root, name), null, 2));
  }
}

/** Runs changesets on the workspace, with its output shown. Provenance needs the identity that only a workflow has. */
function changeset(root: string, args: readonly string[]): Promise<void> {
  const inWorkflow = process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined;
  const child = spawn(join(workbenchRoot, "node_modules/.bin/changeset"), args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...(inWorkflow && { NPM_CONFIG_PROVENANCE: "true", PNPM_CONFIG_PROVENANCE: "true" }) },
    shell: process.platform === "win32",
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new UsageError(`changeset ${args[0]} failed; run pnpm release again to go on`)),
    );
  });
}
