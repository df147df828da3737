/** Makes versions from changesets. Changes the tree completely or not at all. */
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "@chain-query/command-line";
import { prerelease } from "semver";
import { publicPackages } from "../workspace/packages.ts";
import { git, ownEnvironment, pnpmCommand, refuseDirtyTree } from "../workspace/processes.ts";
import { withSections } from "./changelog.ts";
import { keepReleased, pendingRelease } from "./last-release.ts";
import { checkRelease, type PendingRelease, violationText } from "./semver-policy.ts";

/** The kind of versions: the next ones, a prerelease, the release that ends a series of prereleases, or a snapshot to try out. */
type VersionKind = { kind: "next" | "final" } | { kind: "pre" | "snapshot"; tag: string };

/** The flags of `pnpm run version`. */
interface VersionFlags {
  readonly pre?: string | undefined;
  readonly final: boolean;
  readonly snapshot?: string | undefined;
}

/** Throws a UserError for flags that exclude each other. */
export function kindOf({ pre, final, snapshot }: VersionFlags): VersionKind {
  const asked = [pre !== undefined && "--pre", final && "--final", snapshot !== undefined && "--snapshot"].filter(Boolean);
  if (asked.length > 1) throw new UserError(`${asked.join(" and ")} exclude each other; see --help`);
  if (pre !== undefined) return { kind: "pre", tag: pre };
  if (snapshot !== undefined) return { kind: "snapshot", tag: snapshot };
  return { kind: final ? "final" : "next" };
}

/** A package whose version was raised. */
interface Raised {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The files that versions change. */
const changed = [
  ".changeset",
  "openapi/openapi.yaml",
  "openapi/released",
  ":(glob)**/package.json",
  ":(glob)**/CHANGELOG.md",
  "pnpm-lock.yaml",
];

/** Raises the versions. If it rejects, the tree is as before; a UserError says why the versions must not be raised. */
export async function makeVersions(root: string, wanted: VersionKind, signal: AbortSignal): Promise<Raised[]> {
  refuseDirtyTree(root);
  const { release, since } = await pendingRelease(root);
  const series = seriesOf(root);
  const problem = versionProblem(release, since, wanted, series);
  if (problem !== undefined) throw new UserError(problem);

  const before = versionsOf(root);
  const run = (command: readonly string[]) => runQuietly(command, root, signal);
  try {
    for (const args of changesetCommands(wanted, series)) await run([join(root, "node_modules/.bin/changeset"), ...args]);
    for (const file of globSync("{openapi,packages/*,apps/*}/CHANGELOG.md", { cwd: root })) {
      writeFileSync(join(root, file), withSections(readFileSync(join(root, file), "utf8")));
    }
    await run([...pnpmCommand(), "--recursive", "--if-present", "run", "after-version"]);
    // The bundle contains the version; the files that are generated from it do not.
    await run([...pnpmCommand(), "run", "turbo", "build", "--filter=@chain-query/openapi"]);
    const version = versionsOf(root).get("@chain-query/openapi") ?? "";
    if (isReference(version)) keepReleased(root, version);
    await run([...pnpmCommand(), "install", "--lockfile-only"]);
    signal.throwIfAborted();
  } catch (error) {
    restoreTree(root);
    throw error;
  }
  return [...versionsOf(root)].flatMap(([name, after]) => {
    const old = before.get(name) ?? "";
    return old === after ? [] : [{ name, before: old, after }];
  });
}

/** Tells whether later contracts are compared with a version: with releases, but not with prereleases, which promise nothing. */
export function isReference(version: string): boolean {
  return prerelease(version) === null;
}

/** The arguments of each run of `changeset` that makes the versions. */
export function changesetCommands(wanted: VersionKind, series: string | undefined): string[][] {
  if (wanted.kind === "snapshot") return [["version", "--snapshot", wanted.tag]];
  const first = wanted.kind === "final" ? [["pre", "exit"]] : [];
  const enter = wanted.kind === "pre" && series === undefined ? [["pre", "enter", wanted.tag]] : [];
  return [...first, ...enter, ["version"]];
}

/** The reason why the versions must not be made; undefined if they may. */
export function versionProblem(
  release: PendingRelease,
  since: string,
  wanted: VersionKind,
  series: string | undefined,
): string | undefined {
  if (wanted.kind === "final" && series === undefined) {
    return "--final: no series of prereleases is under way; `--pre TAG` begins one";
  }
  if (wanted.kind === "pre" && series !== undefined && series !== wanted.tag) {
    return `--pre ${wanted.tag}: a series of ${series} is under way; --final ends it`;
  }
  if (wanted.kind === "snapshot" && series !== undefined) {
    return `--snapshot ${wanted.tag}: not within a series of prereleases; --final ends that of ${series}`;
  }
  const waiting = release.changesets.filter(({ file }) => wanted.kind === "final" || !file.startsWith(".changeset/pre/"));
  if (waiting.length === 0) return ".changeset has no changeset; `pnpm changeset` writes one";
  const { violation } = checkRelease(release);
  return violation && violationText(violation, since);
}

/** The tag of the series of prereleases that is under way. */
function seriesOf(root: string): string | undefined {
  const state = join(root, ".changeset/pre.json");
  return existsSync(state) ? JSON.parse(readFileSync(state, "utf8")).tag : undefined;
}

function versionsOf(root: string): Map<string, string> {
  return new Map(publicPackages(root).map(({ name, version }) => [name, version]));
}

/** Takes back all changes of versions in a tree that was clean. */
function restoreTree(root: string): void {
  const files = git(root, "diff", "--name-only", "-z", "HEAD", "--", ...changed)
    .split("\0")
    .filter(Boolean);
  if (files.length > 0) git(root, "checkout", "--quiet", "HEAD", "--", ...files);
  git(root, "clean", "-d", "--force", "--quiet", "--", ...changed);
}

/** Runs a command and shows its output only if it fails. */
async function runQuietly([command = "", ...args]: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
  const shown = `${command.replace(/^.*[/\\]/, "")} ${args.join(" ")}`;
  if (process.stderr.isTTY) console.error(`${shown} …`);
  const options = { cwd, signal, env: ownEnvironment(), maxBuffer: 1 << 26 };
  await promisify(execFile)(command, args, options).catch((error: unknown) => {
    signal.throwIfAborted();
    const output = error instanceof Error && "stdout" in error && "stderr" in error ? `${error.stdout}${error.stderr}` : "";
    throw new Error(`${shown} failed; the tree is as before\n${output}`, { cause: error });
  });
}
