/**
 * The law of versions. The path prefix is the major version of the contract (D-32): under a prefix that stays nothing breaks, and
 * any other change needs a changeset that is high enough.
 */
import { inc, major } from "semver";
import { type Changeset, covers, highest, type Level } from "./changesets.ts";

/** One thing that differs from the last release. */
export interface Change {
  /** Which comparison found it: `redocly diff` of the bundles, or the compiler with the types of both. */
  gate: "contract" | "types";
  level: Level;
  where: string;
  what: string;
  /** The path prefixes of the released contract that it concerns, as major versions. */
  prefixes: readonly number[];
}

/** The input of the law: the changes since the last release and the waiting changesets. */
export interface Facts {
  changes: readonly Change[];
  changesets: readonly Changeset[];
  /** The packages of the contract, which are released together. */
  group: readonly string[];
  /** Their current version. */
  version: string;
  /** The path prefixes of the current contract, as major versions. */
  prefixes: readonly number[];
}

/** The result of the law. */
export interface Verdict {
  /** The lowest level that covers the changes; undefined without changes. */
  required: Level | undefined;
  /** The changeset that announces them. */
  announcedBy?: string;
  /** Why the release is refused; absent if it is allowed. */
  refusal?: Refusal;
}

/** Why a release is refused, and what to do. */
export interface Refusal {
  changes: readonly Change[];
  reason: string;
  remedy: string;
}

/** Applies the law to a release of the current tree. */
export function judge(facts: Facts): Verdict {
  const { changes, changesets, group, prefixes } = facts;
  const required = highest(changes.map(({ level }) => level));
  const breaking = changes.filter(
    (change) => change.level === "major" && change.prefixes.some((each) => prefixes.includes(each)),
  );
  if (breaking.length > 0) return { required, refusal: breaksUnderAPrefix(breaking, prefixes) };

  const planned = highest(changesets.flatMap(({ releases }) => group.flatMap((name) => releases.get(name) ?? [])));
  const next = planned === undefined ? undefined : inc(facts.version, planned);
  if (typeof next === "string" && !prefixes.includes(major(next))) return { required, refusal: noSuchPrefix(facts, next) };

  if (required === undefined) return { required };
  const announcement = changesets.find(({ releases }) => group.every((name) => covers(releases.get(name), required)));
  if (announcement !== undefined) return { required, announcedBy: announcement.file };
  return { required, refusal: notAnnounced(facts, required) };
}

function breaksUnderAPrefix(changes: readonly Change[], current: readonly number[]): Refusal {
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

function noSuchPrefix({ changesets, group, version, prefixes }: Facts, next: string): Refusal {
  const asking = changesets.filter(({ releases }) => group.some((name) => releases.get(name) === "major"));
  return {
    changes: [],
    reason: `${list(asking)} would make ${version} ${next}, and the contract has ${prefixes.map(pathOf).join(" and ")} only`,
    remedy: `write minor or patch, or move every path to ${pathOf(major(next))}`,
  };
}

function notAnnounced({ changes, changesets, group }: Facts, required: Level): Refusal {
  const near = changesets.filter(({ releases }) => group.some((name) => releases.has(name)));
  const but = near.length === 0 ? "" : `; ${near.map((each) => `${each.file} says ${said(each, group)}`).join(", ")}`;
  return {
    changes: changes.filter(({ level }) => covers(level, required)),
    reason: `This needs a ${required} bump, and no changeset names ${group.join(", ")} with ${required} or more${but}`,
    remedy: `pnpm changeset --${required} ${group.join(",")} -m "what changes for a reader of the changelog"`,
  };
}

function said({ releases }: Changeset, group: readonly string[]): string {
  return group.map((name) => `${releases.get(name) ?? "nothing"} of ${name.replace(/^.*\//, "")}`).join(" and ");
}

function list(changesets: readonly Changeset[]): string {
  return changesets.map(({ file }) => file).join(" and ");
}

function pathOf(prefix: number): string {
  return `/api/v${prefix}/`;
}

/** Changes that a refusal lists. */
const mostChanges = 20;

/** A refusal as text: the changes, the reason, and on the last line what to do. */
export function refusalText({ changes, reason, remedy }: Refusal, since: string): string {
  const lines = changes.slice(0, mostChanges).map(({ gate, level, where, what }) => `  ${level}  ${gate}: ${where}: ${what}`);
  const rest = changes.length > mostChanges ? [`  and ${changes.length - mostChanges} more`] : [];
  const heading = changes.length > 0 ? [`Changed since ${since}, the last release:`] : [];
  return [...heading, ...lines, ...rest, `${reason}.`, `To fix it: ${remedy}`].join("\n");
}
