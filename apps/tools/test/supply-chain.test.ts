import { describe, expect, test } from "vitest";
import { catalogFaults, licenceFaults, manifestFaults } from "../src/supply-chain/dependencies.ts";
import { workflowFaults } from "../src/supply-chain/workflows.ts";

const licensed = (license: string) => [{ name: "left-pad", versions: ["1.3.0"], license }];

describe("licenceFaults", () => {
  test.for(["MIT", "Apache-2.0", "(MIT OR GPL-3.0-only)", "MIT AND ISC", "BlueOak-1.0.0"])("accepts %s", (license) => {
    expect(licenceFaults(licensed(license), {})).toEqual([]);
  });

  test.for([
    "GPL-3.0-only",
    "AGPL-3.0-or-later",
    "MIT AND GPL-3.0-only",
    "Unknown",
    "SEE LICENSE IN LICENCE.txt",
    "UNLICENSED",
    "",
  ])("names a package whose licence is %j", (license) => {
    expect(licenceFaults(licensed(license), {})).toEqual([
      expect.stringContaining(`left-pad 1.3.0: licence ${license}: expected MIT, `),
    ]);
  });

  test("accepts an exception by name, and refuses an unused exception", () => {
    expect(licenceFaults(licensed("WTFPL"), { "left-pad": "it is not shipped" })).toEqual([]);
    expect(licenceFaults(licensed("MIT"), { "left-pad": "it is not shipped" })).toEqual([
      "left-pad: a licence exception that no package needs",
    ]);
  });
});

describe("catalogFaults", () => {
  test("accepts exact versions", () => {
    expect(catalogFaults({ yaml: "2.9.1", vitest: "5.0.0-beta.2", old: "npm:yaml@2.0.1" })).toEqual([]);
  });

  test.for([
    "^2.9.1",
    "2.9",
    "latest",
    "*",
    "npm:yaml@^2.9.1",
    "2.9.1 || 3",
    "https://example.org/yaml.tgz",
    "github:eemeli/yaml",
  ])("names an entry that says %s", (version) => {
    expect(catalogFaults({ yaml: version })).toEqual([
      `pnpm-workspace.yaml: catalog: yaml: expected an exact version, got ${version}`,
    ]);
  });
});

describe("manifestFaults", () => {
  test.for(["dependencies", "devDependencies", "optionalDependencies"] as const)("checks %s", (kind) => {
    expect(
      manifestFaults("a/package.json", {
        [kind]: { yaml: "catalog:", old: "catalog:api", "@chain-query/types": "workspace:*" },
      }),
    ).toEqual([]);
    expect(manifestFaults("a/package.json", { [kind]: { yaml: "2.9.1" } })).toEqual([
      `a/package.json: ${kind}: yaml: expected catalog: or workspace:*, got 2.9.1`,
    ]);
  });
});

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
const check = (text: string) => workflowFaults([{ path: "w.yml", text }]);

describe("workflowFaults", () => {
  test("accepts a sound workflow", async () => {
    expect(await check(sound)).toEqual([]);
  });

  test("names a called workflow that does not exist", async () => {
    const text = sound.replace(/runs-on[\s\S]*/, "uses: ./.github/workflows/docs.yml\n    permissions: {}\n");
    expect(await workflowFaults([{ path: "w.yml", text }])).toEqual([
      "w.yml: job check calls ./.github/workflows/docs.yml, which does not exist",
    ]);
    const called = { path: ".github/workflows/docs.yml", text: sound.replace("on: push", "on: workflow_call") };
    expect(await workflowFaults([{ path: "w.yml", text }, called])).toEqual([]);
  });

  test.for([
    ["an unknown expression", "echo done", `echo \${{ github.nope }}`, /^w\.yml:14:\d+: property "nope" is not defined/],
    ["a job that does not exist", "    runs-on", "    needs: build\n    runs-on", /needs job "build" which does not exist/],
    ["invalid YAML", "jobs:", "jobs: [", /^w\.yml:/],
    ["an unknown runner", "ubuntu-24.04", "ubuntu-1.0", /label "ubuntu-1\.0" is unknown/],
    [
      "an action by tag",
      "@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
      "@v7",
      /line 11: actions\/checkout@v7: expected owner\/name@<40 hex digits> # v1\.2\.3/,
    ],
    ["a pin without its tag", " # v7.0.1", "", /line 11: actions\/checkout@3d3c\w+: expected/],
    ["permissions at the top", "permissions: {}", "permissions: write-all", /expected `permissions: \{\}` at the top/],
    ["a job without permissions", "    permissions:\n      contents: read\n", "", /job check has no permissions/],
    ["a job without a timeout", "    timeout-minutes: 5\n", "", /job check has no timeout-minutes/],
    [
      "a token left in the checkout",
      "persist-credentials: false",
      "fetch-depth: 1",
      /checks out without persist-credentials: false/,
    ],
  ] as const)("finds %s", async ([, before, after, expected]) => {
    expect(sound).toContain(before);
    expect(await check(sound.replace(before, after))).toEqual([expect.stringMatching(expected)]);
  });
});
