import { describe, expect, test } from "vitest";
import { catalogFaults, manifestFaults } from "../../src/supply-chain/versions.ts";

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
