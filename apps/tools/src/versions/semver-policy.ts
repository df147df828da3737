/**
 * The semver policy of the contract. The path prefix is its major version (D-32): a change that breaks callers needs a new prefix, and
 * any other change needs a changeset that is high enough.
 */
import { inc, major } from "semver";
import { type Changeset, covers, highest, type Level } from "./changesets.ts";

/** A difference from the last release. */
export interface Change {
  /** Which comparison found it: `redocly diff` of the bundles, or the compiler with the types of both. */
  gate: "contract" | "types";
  level: Level;
  where: string;
  what: string;
  /** The path prefixes of the released contract that it concerns, as major versions. */
  prefixes: readonly number[];
}

/** A release of the current tree: the changes since the last release and the waiting changesets. */
export interface PendingRelease {
  changes: readonly Change[];
  changesets: readonly Changeset[];
  /** The packages of the contract, which are released together. */
  group: readonly string[];
  /** Their current version. */
  version: string;
  /** The path prefixes of the current contract, as major versions. */
  prefixes: readonly number[];
}

/** The result of the policy. */
export interface PolicyResult {
  /** The lowest level that covers the changes; undefined without changes. */
  required: Level | undefined;
  /** The changeset that announces them. */
  announcedBy?: string;
  /** Absent if the release is allowed. */
  violation?: Violation;
}

/** The reason why a release is refused, and the fix. */
interface Violation {
  changes: readonly Change[];
  reason: string;
  remedy: string;
}

/** Checks a release. */
export function checkRelease(release: PendingRelease): PolicyResult {
  const { changes, changesets, group, prefixes } = release;
  const required = highest(changes.map(({ level }) => level));
  const breaking = changes.filter(
    (change) => change.level === "major" && change.prefixes.some((each) => prefixes.includes(each)),
  );
  if (breaking.length > 0) return { required, violation: breaksUnderAPrefix(breaking, prefixes) };

  const planned = highest(changesets.flatMap(({ releases }) => group.flatMap((name) => releases.get(name) ?? [])));
  const next = planned === undefined ? undefined : inc(release.version, planned);
  if (typeof next === "string" && !prefixes.includes(major(next))) return { required, violation: noSuchPrefix(release, next) };

  if (required === undefined) return { required };
  const announcement = changesets.find(({ releases }) => group.every((name) => covers(releases.get(name), required)));
  if (announcement !== undefined) return { required, announcedBy: announcement.file };
  return { required, violation: notAnnounced(release, required) };
}

function breaksUnderAPrefix(changes: readonly Change[], current: readonly number[]): Violation {
  const kept = current
    .filter((each) => changes.some(({ prefixes }) => prefixes.includes(each)))
    .map(pathOf)
    .join(" and ");
  return {
    changes,
    reason: `This breaks callers of ${kept}, which no changeset allows`,
    remedy: `undo the change, or move every path from ${kept} to ${pathOf(Math.max(...current) + 1)} and announce a major`,
  };
}

function noSuchPrefix({ changesets, group, version, prefixes }: PendingRelease, next: string): Violation {
  const files = changesets
    .filter(({ releases }) => group.some((name) => releases.get(name) === "major"))
    .map(({ file }) => file)
    .join(" and ");
  return {
    changes: [],
    reason: `${files} would make ${version} ${next}, and the contract has ${prefixes.map(pathOf).join(" and ")} only`,
    remedy: `write minor or patch, or move every path to ${pathOf(major(next))}`,
  };
}

function notAnnounced({ changes, changesets, group }: PendingRelease, required: Level): Violation {
  const near = changesets
    .filter(({ releases }) => group.some((name) => releases.has(name)))
    .map(({ file, releases }) => `${file} says ${levelsText(releases, group)}`);
  return {
    changes: changes.filter(({ level }) => covers(level, required)),
    reason: `This needs a ${required} bump, and no changeset names ${group.join(", ")} with ${required} or more${near.length === 0 ? "" : `; ${near.join(", ")}`}`,
    remedy: `pnpm changeset --${required} ${group.join(",")} -m "what changes for a reader of the changelog"`,
  };
}

/** @example levelsText(releases, group); // "minor of openapi and nothing of types" */
function levelsText(releases: Changeset["releases"], group: readonly string[]): string {
  return group.map((name) => `${releases.get(name) ?? "nothing"} of ${name.replace(/^.*\//, "")}`).join(" and ");
}

function pathOf(prefix: number): string {
  return `/api/v${prefix}/`;
}

/** The most changes that a text lists. */
const mostChanges = 20;

/** A violation as text: the changes, the reason, and the fix on the last line. */
export function violationText({ changes, reason, remedy }: Violation, since: string): string {
  const lines = changes.slice(0, mostChanges).map(({ gate, level, where, what }) => `  ${level}  ${gate}: ${where}: ${what}`);
  const rest = changes.length > mostChanges ? [`  and ${changes.length - mostChanges} more`] : [];
  const heading = changes.length > 0 ? [`Changed since ${since}, the last release:`] : [];
  return [...heading, ...lines, ...rest, `${reason}.`, `To fix it: ${remedy}`].join("\n");
}
