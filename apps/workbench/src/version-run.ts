/** Makes versions: everything that `pnpm run version` changes in the tree, or nothing. */
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { prerelease } from "semver";
import { withSections } from "./changeset-changelog.ts";
import { keepReleased } from "./released.ts";
import { gatherFacts } from "./semver-facts.ts";
import { judge } from "./semver-law.ts";
import { refusalText } from "./semver-text.ts";
import { restoreTree } from "./version-tree.ts";
import { UsageError } from "./workspace/command.ts";
import { refuseDirtyTree } from "./workspace/git-tree.ts";
import { publicPackages } from "./workspace/packages.ts";
import { pnpmCommand } from "./workspace/pnpm.ts";

/** Which versions: the next ones, a prerelease, the release that ends a series of them, or some for a try. */
export type VersionKind = { kind: "next" | "final" } | { kind: "pre" | "snapshot"; tag: string };

/** A package whose version was raised. */
export interface Raised {
  name: string;
  before: string;
  after: string;
}

/** Raises the versions, or throws and leaves the tree as it was: a UsageError where they must not be raised. */
export async function makeVersions(root: string, wanted: VersionKind, signal: AbortSignal): Promise<Raised[]> {
  refuseDirtyTree(root, "version");
  await refuseUnlawful(root, wanted);
  const before = versionsOf(root);
  const run = (command: string, ...args: string[]) => runQuietly(command, args, root, signal);
  const pnpm = (...args: string[]) => {
    const [command = "", ...first] = pnpmCommand();
    return run(command, ...first, ...args);
  };
  const changeset = join(root, "node_modules/.bin/changeset");
  try {
    if (wanted.kind === "pre" && seriesOf(root) === undefined) await run(changeset, "pre", "enter", wanted.tag);
    if (wanted.kind === "final") await run(changeset, "pre", "exit");
    await run(changeset, "version", ...(wanted.kind === "snapshot" ? ["--snapshot", wanted.tag] : []));
    for (const file of globSync("{openapi,packages/*,apps/*}/CHANGELOG.md", { cwd: root })) {
      writeFileSync(join(root, file), withSections(readFileSync(join(root, file), "utf8")));
    }
    await pnpm("--recursive", "--if-present", "run", "after-version");
    // Only the bundle has the version in it; what is generated from it stays the same.
    await pnpm("run", "turbo", "build", "--filter=@chain-query/openapi");
    const version = versionsOf(root).get("@chain-query/openapi") ?? "";
    // A prerelease promises nothing to the one after it: the release before the series stays the measure.
    if (prerelease(version) === null) keepReleased(root, version);
    await pnpm("install", "--lockfile-only");
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

async function refuseUnlawful(root: string, wanted: VersionKind): Promise<void> {
  const { facts, since } = await gatherFacts(root);
  const series = seriesOf(root);
  if (wanted.kind === "final" && series === undefined) {
    throw new UsageError("version: --final: there is no series of prereleases to end; `--pre TAG` begins one");
  }
  if (wanted.kind === "pre" && series !== undefined && series !== wanted.tag) {
    throw new UsageError(`version: --pre ${wanted.tag}: a series of ${series} is under way; --final ends it`);
  }
  if (wanted.kind === "snapshot" && series !== undefined) {
    throw new UsageError(
      `version: --snapshot ${wanted.tag}: not within a series of prereleases; --final ends that of ${series}`,
    );
  }
  const waiting = facts.changesets.filter(({ file }) => wanted.kind === "final" || !file.startsWith(".changeset/pre/"));
  if (waiting.length === 0) throw new UsageError("version: no changeset waits in .changeset; `pnpm changeset` writes one");
  const { refusal } = judge(facts);
  if (refusal !== undefined) throw new UsageError(refusalText(refusal, since));
}

/** The tag of the series of prereleases that is under way. */
function seriesOf(root: string): string | undefined {
  const state = join(root, ".changeset/pre.json");
  return existsSync(state) ? JSON.parse(readFileSync(state, "utf8")).tag : undefined;
}

function versionsOf(root: string): Map<string, string> {
  return new Map(publicPackages(root).map(({ name, version }) => [name, version]));
}

/** Runs a command whose words matter only where it fails. */
async function runQuietly(command: string, args: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
  const said = `${command.replace(/^.*[/\\]/, "")} ${args.join(" ")}`;
  if (process.stderr.isTTY) console.error(`${said} …`);
  const environment = { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" };
  await promisify(execFile)(command, args, { cwd, signal, env: environment, maxBuffer: 1 << 26 }).catch((error: unknown) => {
    signal.throwIfAborted();
    const words = error instanceof Error && "stdout" in error && "stderr" in error ? `${error.stdout}${error.stderr}` : "";
    throw new Error(`${said} failed, and the tree is as it was:\n${words}`, { cause: error });
  });
}
