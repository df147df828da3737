import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../src/command.ts";
import { workflowFaults } from "../../src/supply-chain/workflows.ts";

const sound = `name: sound
on: push
permissions: {}
jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - run: echo done
`;
const judge = (text: string) => workflowFaults([{ path: "w.yml", text }]);

describe("workflowFaults", () => {
  test("finds none in a sound workflow", async () => {
    expect(await judge(sound)).toEqual([]);
  });

  test("finds none in the workflows of this repository", async () => {
    const files = globSync(".github/workflows/*.{yml,yaml}", { cwd: root }).map((path) => ({
      path,
      text: readFileSync(join(root, path), "utf8"),
    }));
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([".github/workflows/ci.yml", ".github/workflows/release.yml"]),
    );
    // One that is called and comes with other work is asked for by the lint, which sees the whole repository.
    const faults = (await workflowFaults(files)).filter((fault) => !fault.endsWith(", which is not there"));
    expect(faults).toEqual([]);
  });

  test("looks for a workflow of this repository that a job calls", async () => {
    const caller = {
      path: ".github/workflows/caller.yml",
      text: `name: caller
on: push
permissions: {}
jobs:
  docs:
    uses: ./.github/workflows/docs.yml
    permissions:
      contents: read
`,
    };
    expect(await workflowFaults([caller])).toEqual([
      ".github/workflows/caller.yml: job docs calls ./.github/workflows/docs.yml, which is not there",
    ]);
    const called = { path: ".github/workflows/docs.yml", text: sound.replace("on: push", "on: workflow_call") };
    expect(await workflowFaults([caller, called])).toEqual([]);
  });

  test.for([
    [
      "an expression that leads nowhere",
      "echo done",
      `echo \${{ github.nope }}`,
      /^w\.yml:14:\d+: property "nope" is not defined/,
    ],
    ["a job that does not exist", "    runs-on", "    needs: build\n    runs-on", /needs job "build" which does not exist/],
    ["text that is no YAML", "jobs:", "jobs: [", /^w\.yml:/],
    ["an unknown runner", "ubuntu-24.04", "ubuntu-1.0", /label "ubuntu-1\.0" is unknown/],
    [
      "an action by tag",
      "@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
      "@v7",
      /line 11: actions\/checkout@v7 is not pinned/,
    ],
    ["a pin without its tag", " # v7.0.1", "", /is not pinned by a full commit with its tag/],
    ["rights at the top", "permissions: {}", "permissions: write-all", /permissions at the top are \{\}/],
    ["rights nowhere", "    permissions:\n      contents: read\n", "", /job check has no permissions/],
    ["a job without an end", "    timeout-minutes: 5\n", "", /job check has no timeout-minutes/],
    [
      "a token left in the checkout",
      "persist-credentials: false",
      "fetch-depth: 1",
      /checks out without persist-credentials: false/,
    ],
  ] as const)("finds %s", async ([, before, after, expected]) => {
    expect(sound).toContain(before);
    expect(await judge(sound.replace(before, after))).toEqual([expect.stringMatching(expected)]);
  });
});
