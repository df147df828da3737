import { describe, expect, test } from "vitest";
import type { Changeset, Level } from "../../src/versions/changesets.ts";
import { changesOf } from "../../src/versions/last-release.ts";
import { type Change, checkRelease, type PendingRelease, violationText } from "../../src/versions/semver-policy.ts";

const group = ["openapi", "types", "client"];
const nothing: PendingRelease = { changes: [], changesets: [], group, version: "2.4.1", prefixes: [2] };

function change(level: Level, ...prefixes: number[]): Change {
  return { gate: "contract", level, where: "there", what: "that", prefixes: prefixes.length > 0 ? prefixes : [2] };
}

function changeset(file: string, releases: Record<string, Level>): Changeset {
  return { file, releases: new Map(Object.entries(releases)) };
}

function forAll(level: Level): Changeset {
  return changeset("all.md", { openapi: level, types: level, client: level });
}

describe("checkRelease", () => {
  test("requires nothing if nothing changed", () => {
    expect(checkRelease(nothing)).toEqual({ required: undefined });
  });

  test("requires the level of the greatest change", () => {
    const result = checkRelease({
      ...nothing,
      changes: [change("patch"), change("minor"), change("patch")],
      changesets: [forAll("minor")],
    });
    expect(result).toEqual({ required: "minor", announcedBy: "all.md" });
  });

  test("accepts a higher level than needed", () => {
    expect(checkRelease({ ...nothing, changes: [change("patch")], changesets: [forAll("minor")] }).violation).toBeUndefined();
    expect(checkRelease({ ...nothing, changesets: [forAll("minor")] }).violation).toBeUndefined();
  });

  test("requires one changeset that names the whole group, each high enough", () => {
    const pieces = group.map((name) => changeset(`${name}.md`, { [name]: "minor" }));
    const uneven = changeset("uneven.md", { openapi: "minor", types: "minor", client: "patch" });
    for (const changesets of [[], pieces, [uneven], [forAll("patch"), ...pieces]]) {
      expect(checkRelease({ ...nothing, changes: [change("minor")], changesets }).violation?.reason).toContain(
        "needs a minor bump",
      );
    }
  });

  test("refuses a major version without its path prefix", () => {
    const { violation } = checkRelease({ ...nothing, changesets: [forAll("major")] });
    expect(violation?.reason).toBe("all.md would make 2.4.1 3.0.0, and the contract has /api/v2/ only");
    expect(violation?.remedy).toContain("/api/v3/");
    expect(checkRelease({ ...nothing, changesets: [forAll("major")], prefixes: [2, 3] }).violation).toBeUndefined();
  });

  test("accepts a major for the first release of a prefix", () => {
    expect(checkRelease({ ...nothing, version: "2.0.0-0", changesets: [forAll("major")] }).violation).toBeUndefined();
  });

  test("refuses 0.x, because no path begins with /api/v0/", () => {
    expect(checkRelease({ ...nothing, version: "0.4.1", changesets: [forAll("minor")] }).violation?.reason).toContain("0.5.0");
  });

  test("accepts the end of a prefix, and refuses a break under a remaining prefix", () => {
    const moved = { ...nothing, changes: [change("major", 2)], changesets: [forAll("major")] };
    expect(checkRelease({ ...moved, prefixes: [3] }).violation).toBeUndefined();
    expect(checkRelease({ ...moved, prefixes: [2, 3] }).violation?.reason).toBe(
      "This breaks callers of /api/v2/, which no changeset allows",
    );
    expect(checkRelease({ ...moved, changes: [change("major", 2, 3)], prefixes: [3, 4] }).violation?.reason).toContain(
      "/api/v3/",
    );
  });
});

describe("changesOf", () => {
  const released = {
    info: { version: "2.4.1" },
    paths: { "/api/v2/a": { get: { operationId: "a" } }, "/api/v3/b": { post: { operationId: "b" } } },
  };
  const concerning = (path: string) => changesOf(released, [{ bump: "major", path, where: "", what: "" }], [])[0]?.prefixes;

  test("finds the prefixes that a change concerns", () => {
    expect(concerning("/api/v2/a")).toEqual([2]);
    expect(concerning("/api/v3/b")).toEqual([3]);
    expect(concerning("/api/v4/c")).toEqual([]);
    expect(changesOf(released, [{ bump: "major", where: "security", what: "" }], [])[0]?.prefixes).toEqual([2, 3]);
  });

  test("finds the prefix of an operation that the types name", () => {
    const breaks = ["a", "b", "Schemas"].map((name) => ({ name, half: "request", detail: "" }));
    expect(changesOf(released, [], breaks).map(({ where, prefixes }) => [where, prefixes])).toEqual([
      ["request of a", [2]],
      ["request of b", [3]],
      ["request of Schemas", [2, 3]],
    ]);
  });
});

describe("violationText", () => {
  test("lists twenty changes at most, and ends with the fix", () => {
    const lines = violationText(
      { changes: Array(23).fill(change("major")), reason: "Because", remedy: "do it" },
      "2.4.1",
    ).split("\n");
    expect(lines).toHaveLength(1 + 20 + 3);
    expect(lines[1]).toBe("  major  contract: there: that");
    expect(lines.slice(-3)).toEqual(["  and 3 more", "Because.", "To fix it: do it"]);
  });

  test("has no list without changes", () => {
    expect(violationText({ changes: [], reason: "Because", remedy: "do it" }, "2.4.1")).toBe("Because.\nTo fix it: do it");
  });
});
