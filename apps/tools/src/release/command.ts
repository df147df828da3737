/** `pnpm release`: publishes the versions that the registry does not have, with changesets; every tarball is checked before the first. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text, UserError } from "@chain-query/command-line";
import { pnpmCommand } from "@chain-query/testing/processes";
import { runCommand } from "../workspace/command-line.ts";
import { publicPackages } from "../workspace/packages.ts";
import { git, ownEnvironment, refuseDirtyTree, toolOf } from "../workspace/processes.ts";
import { attwArguments, fileFaults, filesOf, writeSbom } from "./tarballs.ts";

const commands = {
  "": {
    summary: "builds, packs, checks and publishes the packages whose version the registry does not have",
    flags: {
      tag: { type: text("<name>", "a name"), help: "the dist-tag, instead of latest, or of that of the prereleases" },
      ifNew: { help: "succeed if nothing is new" },
    },
  },
} as const;

const notes = "The tree must be clean. If the registry refuses a package, run it again: it publishes the rest.";

/** The plan of changesets, in groups that are published one after the other: dependencies first. */
interface PublishPlan {
  plan: { kind: "publish" | "tag-only"; name: string; version: string; tag?: string; tarball?: { path: string } }[][];
}

await runCommand(
  "release",
  commands,
  async ({ tag, ifNew }) => {
    const root = process.cwd();
    const out = join(root, "dist/release");
    const read = (file: string): PublishPlan => JSON.parse(readFileSync(join(out, file), "utf8"));
    refuseDirtyTree(root);
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    changeset(["publish-plan", "--output", join(out, "plan.json")]);
    const plan = read("plan.json");
    const releases = plan.plan.flat().filter(({ kind }) => kind === "publish");
    for (const release of releases) if (tag !== undefined) release.tag = tag;
    const stray = releases.find((each) => each.tag === "latest" && each.version.includes("-"));
    if (stray !== undefined && !existsSync(join(root, ".changeset/pre.json")))
      throw new UserError(`${stray.name} ${stray.version} is a prerelease; give --tag, or run pnpm run version`);
    if (releases.length > 0) {
      build(root);
      writeFileSync(join(out, "plan.json"), JSON.stringify(plan));
      changeset(["pack", "--from-publish-plan", join(out, "plan.json"), "--out-dir", out]);
      const packed = read("publish-plan.json").plan.flat();
      const faults = packed.flatMap(({ name, tarball }) => (tarball ? tarballFaults(name, join(out, tarball.path)) : []));
      if (faults.length > 0) throw new UserError(`nothing is published:\n${faults.join("\n")}`);
      for (const { name, tarball } of packed) if (tarball) await writeSbom(root, name, join(out, tarball.path));
      changeset(["publish", "--from-pack-dir", out]);
    }
    // Adds tags that an earlier run did not reach.
    changeset(["git-tag"]);
    if (releases.length > 0)
      console.log("release: tarballs and SBOMs are in dist/release; `git push --tags` publishes the tags");
    else if (!ifNew) throw new UserError("nothing is new; `pnpm run version` makes versions from changesets");
    else console.log("release: nothing is new");
    return 0;
  },
  notes,
);

/** Clean build: a compiler leaves the output of deleted sources behind, and a cache keeps it. A repeated release reuses the one of its commit. */
function build(root: string): void {
  for (const { folder } of publicPackages(root)) rmSync(join(folder, "dist"), { recursive: true, force: true });
  const caches = join(root, "dist/release-cache");
  const cache = join(caches, git(root, "rev-parse", "HEAD").trim());
  if (!existsSync(cache)) rmSync(caches, { recursive: true, force: true });
  const [command = "", ...args] = pnpmCommand();
  execFileSync(command, [...args, "run", "build", "--cache-dir", cache], { stdio: "inherit" });
  refuseDirtyTree(root, " after the build");
}

/** Runs changesets with its output shown. Provenance needs the identity that only a workflow has. */
function changeset(args: readonly string[]): void {
  const inWorkflow = process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined;
  const provenance = inWorkflow ? { NPM_CONFIG_PROVENANCE: "true", PNPM_CONFIG_PROVENANCE: "true" } : {};
  try {
    execFileSync(toolOf("changeset"), args, { stdio: "inherit", env: { ...process.env, ...provenance } });
  } catch {
    throw new UserError(`changeset ${args[0]} failed; run pnpm release again to go on`);
  }
}

/** One line for each fault of a tarball, and the output of publint and attw if they find any. */
function tarballFaults(name: string, path: string): string[] {
  const run = (tool: "publint" | "attw", ...args: readonly string[]): string[] => {
    try {
      execFileSync(toolOf(tool), args, { encoding: "utf8", stdio: "pipe", env: { ...ownEnvironment(), NO_COLOR: "1" } });
      return [];
    } catch (error) {
      const output =
        error instanceof Error && "stdout" in error && "stderr" in error ? `${error.stdout}${error.stderr}` : error;
      return [`${name}: ${tool}:\n${output}`];
    }
  };
  const files = filesOf(path);
  const attw = attwArguments(JSON.parse(files.get("package.json") ?? "{}"));
  return [...fileFaults(name, files), ...run("publint", "run", path, "--strict"), ...run("attw", path, ...attw)];
}
