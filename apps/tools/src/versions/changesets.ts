/** Reads and checks the changesets that wait for a release. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "@chain-query/command-line";
import { parseChangesetFile } from "@changesets/parse";

/** The parts of a version that a release raises, lowest first. */
export const levels = ["patch", "minor", "major"] as const;
export type Level = (typeof levels)[number];

/** One changeset. */
export interface Changeset {
  /** Its path, such as `.changeset/look-up-block-by-time.md`. */
  file: string;
  /** The level for each package that it names. */
  releases: ReadonlyMap<string, Level>;
}

/** Tells whether a level is at least as high as another. */
export function covers(level: Level | undefined, required: Level): boolean {
  return level !== undefined && levels.indexOf(level) >= levels.indexOf(required);
}

/** The highest of some levels; undefined for an empty list. */
export function highest(some: Iterable<Level>): Level | undefined {
  const all = new Set(some);
  return levels.findLast((level) => all.has(level));
}

/**
 * Reads the changesets of a workspace. In prerelease mode it also reads the changesets of earlier prereleases, because the final release
 * contains them. Throws a UserError that names the file and the accepted values.
 */
export function readChangesets(root: string, packages: readonly string[]): Changeset[] {
  const files = globSync(".changeset/{,pre/}*.md", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file !== ".changeset/README.md")
    .sort();
  for (const file of files) {
    // A prerelease moves it there.
    const used = file.replace(/^\.changeset\/(?!pre\/)/, ".changeset/pre/");
    if (used !== file && files.includes(used))
      throw new UserError(`${file}: a prerelease would overwrite ${used}; rename the file`);
  }
  return files.map((file) => ({ file, releases: parseChangeset(file, readFileSync(join(root, file), "utf8"), packages) }));
}

/** Parses one changeset. */
export function parseChangeset(file: string, text: string, packages: readonly string[]): Map<string, Level> {
  const refuse = (problem: string): never => {
    throw new UserError(`${file}: ${problem}`);
  };
  const { releases, summary } = parsed(text, refuse);
  if (releases.length === 0) refuse(`it names no package; name one of ${packages.join(", ")}, or delete the file`);
  if (summary === "") refuse("it has no text; write what changes for a reader of the changelog, or delete the file");
  return new Map(
    releases.map(({ name, type }) => {
      if (!packages.includes(name)) refuse(`${name} is not a published package; expected one of ${packages.join(", ")}`);
      const level = levels.find((each) => each === type) ?? refuse(`${name}: expected ${levels.join(", ")}, got ${type}`);
      return [name, level];
    }),
  );
}

function parsed(text: string, refuse: (problem: string) => never): ReturnType<typeof parseChangesetFile> {
  try {
    return parseChangesetFile(text);
  } catch (error) {
    // The message of the library has several lines; the first names the problem.
    const [problem = ""] = error instanceof Error ? error.message.split("\n") : [];
    return refuse(
      `${problem.replace(/^could not parse changeset - /, "").replace(/\.$/, "")}; a level is one of ${levels.join(", ")}`,
    );
  }
}
