/** The changesets that wait for a release, each checked while its author is still at it. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseChangesetFile } from "@changesets/parse";
import { UsageError } from "./workspace/command.ts";

/** What a release raises, from least to most. */
export const levels = ["patch", "minor", "major"] as const;
export type Level = (typeof levels)[number];

/** What one file says. */
export interface Changeset {
  /** Its path, such as `.changeset/look-up-block-by-time.md`. */
  file: string;
  /** The level that it asks for each package that it names. */
  releases: ReadonlyMap<string, Level>;
}

/** Whether a level is as high as another, or higher. */
export function covers(level: Level | undefined, required: Level): boolean {
  return level !== undefined && levels.indexOf(level) >= levels.indexOf(required);
}

/** The highest of some levels; undefined of none. */
export function highest(some: Iterable<Level>): Level | undefined {
  const all = new Set(some);
  return levels.findLast((level) => all.has(level));
}

/**
 * Reads the changesets of a workspace, in prerelease mode also those that prereleases have used, since the release after them is
 * made of all. Throws a UsageError that names the file and what is accepted.
 */
export function readChangesets(root: string, packages: readonly string[]): Changeset[] {
  const files = globSync(".changeset/{,pre/}*.md", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file !== ".changeset/README.md")
    .sort();
  for (const file of files) {
    // Once used, it moves there.
    const used = file.replace(/^\.changeset\/(?!pre\/)/, ".changeset/pre/");
    if (used !== file && files.includes(used)) throw new UsageError(`${file}: it would replace ${used}; give it another name`);
  }
  return files.map((file) => ({ file, releases: parseChangeset(file, readFileSync(join(root, file), "utf8"), packages) }));
}

function parseChangeset(file: string, text: string, packages: readonly string[]): Map<string, Level> {
  const refuse = (problem: string): never => {
    throw new UsageError(`${file}: ${problem}`);
  };
  const { releases, summary } = parsed(text, refuse);
  if (releases.length === 0) refuse(`no package is named; name one of ${packages.join(", ")}, or delete the file`);
  if (summary === "") refuse("nothing is said; write what changes for a reader of the changelog, or delete the file");
  return new Map(
    releases.map(({ name, type }) => {
      if (!packages.includes(name)) refuse(`no package ${name} is published from here; there are ${packages.join(", ")}`);
      const level = levels.find((each) => each === type) ?? refuse(`${name}: ${type}; a level is ${levels.join(", ")}`);
      return [name, level];
    }),
  );
}

function parsed(text: string, refuse: (problem: string) => never): ReturnType<typeof parseChangesetFile> {
  try {
    return parseChangesetFile(text);
  } catch (error) {
    // The library explains itself over several lines; the first says what is wrong.
    const [problem = ""] = error instanceof Error ? error.message.split("\n") : [];
    return refuse(
      `${problem.replace(/^could not parse changeset - /, "").replace(/\.$/, "")}; a level is ${levels.join(", ")}`,
    );
  }
}
