/** Publishes what the registry does not have yet, one whole package after the other. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../command.ts";
import { removeLeftovers } from "./leftovers.ts";
import { publicPackages, type WorkspacePackage } from "./packages.ts";
import { pack, type Tarball } from "./packing.ts";
import { mustPnpm } from "./pnpm.ts";
import { publishedIntegrity, publishTarball, registryOf } from "./registry.ts";
import { writeSboms } from "./sbom.ts";
import { faultsOf } from "./tarball.ts";
import { refuseDirtyTree, tag, tagsOf } from "./tree.ts";

/** How to release. */
export interface ReleaseOptions {
  /** The folder of the workspace. */
  root: string;
  /** The dist-tag to publish under, where it is not the one that `distTag` finds. */
  tag?: string | undefined;
  /** Whether finding nothing new is fine. */
  ifNew: boolean;
  /** Told of each package that is done. */
  say: (line: string) => void;
  /** Told what is going on. */
  progress: (line: string) => void;
}

/**
 * Releases and resolves to the exit code. Rejects with a UsageError where the tree is dirty, nothing is new or the registry
 * refuses; what was published before it stays, and another run goes on with what is missing.
 */
export async function release({ root, tag: wanted, ifNew, say, progress }: ReleaseOptions): Promise<number> {
  refuseDirtyTree(root, "release");
  const packages = publicPackages(root);
  if (wanted === undefined) packages.forEach(distTag);
  const registry = await registryOf(packages[0]?.name ?? "", root);
  progress(`asking ${registry}`);
  const published = new Map(
    await Promise.all(
      packages.map(async ({ name, version }) => [name, await publishedIntegrity(name, version, root)] as const),
    ),
  );
  const tags = tagsOf(root);
  const isNew = ({ name }: WorkspacePackage) => published.get(name) === undefined;
  if (!packages.some((each) => isNew(each) || !tags.has(gitTag(each)))) return nothingNew(packages, ifNew, say);

  progress("building");
  await mustPnpm(["run", "build"], root);
  refuseDirtyTree(root, "release", " once it is built");
  progress("packing");
  removeLeftovers(packages);
  const artefacts = join(root, "dist/release");
  const tarballs = await pack(packages, artefacts);
  const faults = (await Promise.all(tarballs.map(faultsOf))).flat();
  if (faults.length > 0) throw new UsageError(`release: nothing is published, since\n${faults.join("\n")}`);
  await writeSboms(packages, root, artefacts);

  let done = 0;
  for (const each of tarballs) {
    const line = `${each.name} ${each.version}`;
    if (isNew(each)) {
      progress(`publishing ${line}`);
      const under = wanted ?? distTag(each);
      await publish(each, under, root).catch((error: unknown) => {
        throw error instanceof UsageError ? new UsageError(refusal(line, error.message, done, registry)) : error;
      });
      done++;
      mark(root, each, tags);
      say(`published ${line} as ${under}`);
    } else if (published.get(each.name) === each.integrity) {
      mark(root, each, tags);
      say(`${line} is in the registry already`);
    } else {
      say(`${line} is in the registry already, with other content than this commit's`);
    }
  }
  if (done === 0) return nothingNew(packages, ifNew, say);
  say(`${done} published to ${registry}, their tarballs and bills of materials are in dist/release`);
  // Changesets' action tells the repository of the tags itself.
  if (!process.env["CHANGESETS_OUTPUT"]) say("Next: `git push --tags`, since so far only this clone knows what was released.");
  return 0;
}

/** A version goes under `latest`, unless it is a prerelease: that one goes under the word that it begins with. */
export function distTag({ name, version }: Pick<WorkspacePackage, "name" | "version">): string {
  const prerelease = /^\d+\.\d+\.\d+-([^+]*)/.exec(version)?.[1];
  const word = prerelease === undefined ? "latest" : /^[a-z]+/i.exec(prerelease)?.[0];
  if (word !== undefined) return word;
  throw new UsageError(
    `release: ${name} ${version} has no word to publish it under; make a version by pnpm run version, or say --tag`,
  );
}

function nothingNew(packages: readonly WorkspacePackage[], ifNew: boolean, say: (line: string) => void): number {
  const line = `release: nothing is new, the registry has ${packages.map(({ name, version }) => `${name} ${version}`).join(", ")}`;
  if (!ifNew) throw new UsageError(`${line}; pnpm run version makes new versions from changesets`);
  say(line);
  return 0;
}

function refusal(line: string, reason: string, done: number, registry: string): string {
  const before = done === 0 ? "nothing was published" : `${done} published before it`;
  return `release: ${registry} refuses ${line}: ${reason}; ${before}, run it again to go on`;
}

/** A workflow of GitHub's that may ask for an identity can prove where a package comes from; elsewhere there is nothing to prove with. */
function publish({ path }: Tarball, under: string, root: string): Promise<void> {
  return publishTarball(path, under, process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined, root);
}

/** Tags the commit, and tells changesets' action of it, which makes a release of the tag. */
function mark(root: string, each: WorkspacePackage, tags: ReadonlySet<string>): void {
  const name = gitTag(each);
  if (tags.has(name)) return;
  tag(root, name);
  const report = process.env["CHANGESETS_OUTPUT"];
  if (report) appendFileSync(report, `${JSON.stringify({ type: "git-tag", tag: name, packageName: each.name })}\n`);
}

function gitTag({ name, version }: WorkspacePackage): string {
  return `${name}@${version}`;
}
