import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withSections } from "../../src/versions/changelog.ts";
import { parseChangeset, readChangesets } from "../../src/versions/changesets.ts";
import { keepReleased, readReleased } from "../../src/versions/last-release.ts";
import { changesetCommands, isReference, kindOf, versionProblem } from "../../src/versions/make-versions.ts";
import type { PendingRelease } from "../../src/versions/semver-policy.ts";
import { type Fixture, makeFixture } from "../fixture.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.remove());

describe("kindOf", () => {
  test("takes the flags", () => {
    expect(kindOf({ final: false })).toEqual({ kind: "next" });
    expect(kindOf({ final: true })).toEqual({ kind: "final" });
    expect(kindOf({ final: false, pre: "next" })).toEqual({ kind: "pre", tag: "next" });
    expect(kindOf({ final: false, snapshot: "try" })).toEqual({ kind: "snapshot", tag: "try" });
  });

  test("refuses flags that exclude each other", () => {
    expect(() => kindOf({ final: true, pre: "next" })).toThrow("--pre and --final exclude each other; see --help");
  });
});

describe("changesetCommands", () => {
  test.for([
    [{ kind: "next" }, undefined, [["version"]]],
    [{ kind: "pre", tag: "next" }, undefined, [["pre", "enter", "next"], ["version"]]],
    [{ kind: "pre", tag: "next" }, "next", [["version"]]],
    [{ kind: "next" }, "next", [["version"]]],
    [{ kind: "final" }, "next", [["pre", "exit"], ["version"]]],
    [{ kind: "snapshot", tag: "try" }, undefined, [["version", "--snapshot", "try"]]],
  ] as const)("of %j within the series %s", ([wanted, series, commands]) => {
    expect(changesetCommands(wanted, series)).toEqual(commands);
  });
});

describe("isReference", () => {
  test("holds for releases only", () => {
    expect(["2.1.0", "2.1.0-next.0", "2.1.0-try-20261121093000"].map(isReference)).toEqual([true, false, false]);
  });
});

describe("versionProblem", () => {
  const releases = new Map(["openapi", "types", "client"].map((name) => [name, "minor"] as const));
  const release: PendingRelease = {
    changes: [],
    changesets: [{ file: ".changeset/a.md", releases }],
    group: ["openapi", "types", "client"],
    version: "2.0.0",
    prefixes: [2],
  };
  const used = { ...release, changesets: [{ file: ".changeset/pre/a.md", releases }] };

  test("is undefined for versions that may be made", () => {
    expect(versionProblem(release, "2.0.0", { kind: "next" }, undefined)).toBeUndefined();
    expect(versionProblem(release, "2.0.0", { kind: "pre", tag: "next" }, "next")).toBeUndefined();
    expect(versionProblem(used, "2.0.0", { kind: "final" }, "next")).toBeUndefined();
  });

  test.for([
    [release, { kind: "final" }, undefined, "no series of prereleases is under way"],
    [release, { kind: "pre", tag: "beta" }, "next", "a series of next is under way; --final ends it"],
    [release, { kind: "snapshot", tag: "try" }, "next", "not within a series of prereleases; --final ends that of next"],
    [{ ...release, changesets: [] }, { kind: "next" }, undefined, ".changeset has no changeset"],
    [used, { kind: "next" }, "next", ".changeset has no changeset"],
  ] as const)("names the problem of %#", ([given, wanted, series, problem]) => {
    expect(versionProblem(given, "2.0.0", wanted, series)).toContain(problem);
  });

  test("lists the changes that no changeset announces", () => {
    const change = { gate: "contract", level: "major", where: "there", what: "that", prefixes: [2] } as const;
    const problem = versionProblem({ ...release, changes: [change] }, "2.0.0", { kind: "next" }, undefined);
    expect(problem).toContain("major  contract: there: that");
    expect(problem).toContain("This breaks callers of /api/v2/, which no changeset allows.");
  });
});

describe("parseChangeset", () => {
  const packages = ["@chain-query/openapi", "@chain-query/types"];
  const text = (releases: string, summary = "Something new.") => `---\n${releases}---\n\n${summary}\n`;

  test("reads the level of each package", () => {
    const releases = parseChangeset("a.md", text('"@chain-query/openapi": minor\n"@chain-query/types": patch\n'), packages);
    expect([...releases]).toEqual([
      ["@chain-query/openapi", "minor"],
      ["@chain-query/types", "patch"],
    ]);
  });

  test.for([
    [
      text('"@chain-query/opnapi": patch\n'),
      "@chain-query/opnapi is not a published package; expected one of @chain-query/openapi",
    ],
    [text(""), "it names no package"],
    [text('"@chain-query/openapi": patch\n', ""), "it has no text"],
    ["\n", "file is empty"],
    [
      text('"@chain-query/openapi": huge\n'),
      'invalid version type "huge" for package "@chain-query/openapi"; a level is one of patch',
    ],
    [text('"@chain-query/openapi": none\n'), "@chain-query/openapi: expected patch, minor, major, got none"],
    ["Something new.\n", "missing or invalid frontmatter"],
  ] as const)("refuses %j", ([changeset, problem]) => {
    expect(() => parseChangeset("a.md", changeset, packages)).toThrow(`a.md: ${problem}`);
  });

  test("reads the changesets of earlier prereleases, and refuses a changeset that would overwrite one", () => {
    fixture.write({
      ".changeset/README.md": "# Changesets\n",
      ".changeset/pre/a.md": text('"@chain-query/openapi": minor\n'),
      ".changeset/b.md": text('"@chain-query/types": patch\n'),
    });
    expect(readChangesets(fixture.folder, packages).map(({ file }) => file)).toEqual([
      ".changeset/b.md",
      ".changeset/pre/a.md",
    ]);
    fixture.write({ ".changeset/a.md": text('"@chain-query/types": patch\n') });
    expect(() => readChangesets(fixture.folder, packages)).toThrow(
      ".changeset/a.md: a prerelease would overwrite .changeset/pre/a.md",
    );
  });
});

describe("the released bundle", () => {
  const copy = "openapi/released/openapi.yaml";

  test("is the built one, under a header that names its version", () => {
    fixture.write({ "openapi/dist/openapi.yaml": "openapi: 3.1.0\n" });
    keepReleased(fixture.folder, "2.1.0");
    expect(readReleased(fixture.folder)).toMatch(/^# The bundle of @chain-query\/openapi 2\.1\.0.*\n# .*\nopenapi: 3\.1\.0\n$/);
  });

  test("is refused if it is missing or was edited", () => {
    expect(() => readReleased(fixture.folder)).toThrow(`${copy} is missing; only \`pnpm run version\` writes it`);
    fixture.write({ "openapi/dist/openapi.yaml": "openapi: 3.1.0\n" });
    keepReleased(fixture.folder, "2.1.0");
    fixture.write({ [copy]: `${readFileSync(join(fixture.folder, copy), "utf8")}x-more: 1\n` });
    expect(() => readReleased(fixture.folder)).toThrow(`${copy} does not match its digest`);
  });
});

describe("the changelog", () => {
  test("has sections for readers", () => {
    expect(withSections("### Major Changes\n\n### Minor Changes\n\n### Patch Changes\n")).toBe(
      "### Breaking changes\n\n### New\n\n### Smaller changes\n",
    );
  });
});
