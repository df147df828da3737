/** What `version` refuses: how each comes about in a copy of the workspace, and what it says. */
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { group, type VersionCopy } from "./version-copy.ts";

export interface Refused {
  what: string;
  prepare: (copy: VersionCopy) => void;
  args?: string[];
  says: string;
}

export const refused: readonly Refused[] = [
  {
    what: "a dirty tree",
    prepare: ({ folder }) => rmSync(join(folder, "LICENSE")),
    says: "version: LICENSE differs from the commit",
  },
  {
    what: "a released copy that was edited",
    prepare: ({ folder, commit }) => {
      appendFileSync(join(folder, "openapi/released/openapi.yaml"), "x-more: 1\n");
      commit();
    },
    says: "openapi/released/openapi.yaml is not what its digest in openapi/released/openapi.yaml.sha256 says; only `pnpm run version`",
  },
  {
    what: "a released copy that is gone",
    prepare: ({ folder, commit }) => {
      rmSync(join(folder, "openapi/released/openapi.yaml"));
      commit();
    },
    says: "openapi/released/openapi.yaml is missing; only `pnpm run version` writes it, and `git log -- openapi/released` tells which",
  },
  { what: "no changeset", prepare: () => {}, says: "version: no changeset waits in .changeset; `pnpm changeset` writes one" },
  {
    what: "a changeset of an unknown package",
    prepare: ({ announce }) => announce("patch", ["@chain-query/opnapi"]),
    says: ".changeset/a-change.md: no package @chain-query/opnapi is published from here; there are @chain-query/openapi",
  },
  {
    what: "a changeset of a package that is not published",
    prepare: ({ announce }) => announce("patch", ["@chain-query/workbench"]),
    says: ".changeset/a-change.md: no package @chain-query/workbench is published from here",
  },
  {
    what: "a changeset without packages",
    prepare: ({ announce }) => announce("patch", []),
    says: ".changeset/a-change.md: no package is named",
  },
  {
    what: "a changeset without words",
    prepare: ({ announce }) => announce("patch", group, ""),
    says: ".changeset/a-change.md: nothing is said; write what changes for a reader of the changelog",
  },
  {
    what: "an empty file",
    prepare: ({ folder }) => writeFileSync(join(folder, ".changeset/a-change.md"), "\n"),
    says: ".changeset/a-change.md: file is empty",
  },
  {
    what: "a level that there is not",
    prepare: ({ announce }) => announce("huge"),
    says: `.changeset/a-change.md: invalid version type "huge" for package "@chain-query/openapi"; a level is patch, minor, major`,
  },
  {
    what: "a level that says nothing",
    prepare: ({ announce }) => announce("none"),
    says: ".changeset/a-change.md: @chain-query/openapi: none; a level is patch, minor, major",
  },
  {
    what: "a changeset that is no changeset",
    prepare: ({ folder }) => writeFileSync(join(folder, ".changeset/a-change.md"), "Something new.\n"),
    says: ".changeset/a-change.md: missing or invalid frontmatter",
  },
  {
    what: "a tag that is none",
    prepare: ({ announce }) => announce("patch"),
    args: ["--pre", "2"],
    says: "version: --pre 2: a tag is",
  },
  { what: "two kinds", prepare: () => {}, args: ["--final", "--pre", "next"], says: "version: --pre and --final exclude" },
  { what: "an unknown flag", prepare: () => {}, args: ["--zap"], says: "Unknown option '--zap'; see --help" },
  {
    what: "the end of no series",
    prepare: ({ announce }) => announce("patch"),
    args: ["--final"],
    says: "there is no series of prereleases",
  },
];
