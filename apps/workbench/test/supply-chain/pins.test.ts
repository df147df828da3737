import { describe, expect, test } from "vitest";
import { manifestFaults, settingsFaults } from "../../src/supply-chain/pins.ts";

const settings = { catalog: { yaml: "2.9.1" }, minimumReleaseAge: 1440, blockExoticSubdeps: true, allowBuilds: { node: true } };

describe("settingsFaults", () => {
  test("finds none where everything is exact and has had a day", () => {
    expect(settingsFaults(settings)).toEqual([]);
  });

  test.for(["^2.9.1", "2.9", "latest", "*", "2.9.1 || 3", "https://example.org/yaml.tgz", "github:eemeli/yaml"])(
    "names a catalog entry that says %s",
    (version) => {
      expect(settingsFaults({ ...settings, catalog: { yaml: version } })).toEqual([
        `pnpm-workspace.yaml: catalog: yaml is ${version}, which is no exact version`,
      ]);
    },
  );

  test.for([
    [{ minimumReleaseAge: 60 }, "minimumReleaseAge is less than a day"],
    [{ minimumReleaseAgeExclude: ["yaml"] }, "minimumReleaseAgeExclude lets something in at once"],
    [{ blockExoticSubdeps: false }, "blockExoticSubdeps is not true"],
    [{ dangerouslyAllowAllBuilds: true }, "dangerouslyAllowAllBuilds lets every install script run"],
  ] as const)("refuses %j", ([change, expected]) => {
    expect(settingsFaults({ ...settings, ...change })).toEqual([expect.stringContaining(expected)]);
  });

  test("asks for each of them", () => {
    expect(settingsFaults({})).toHaveLength(3);
  });
});

describe("manifestFaults", () => {
  test.for(["dependencies", "devDependencies", "optionalDependencies"] as const)("reads %s", (kind) => {
    expect(manifestFaults("a/package.json", { [kind]: { yaml: "catalog:", "@chain-query/types": "workspace:*" } })).toEqual([]);
    expect(manifestFaults("a/package.json", { [kind]: { yaml: "2.9.1" } })).toEqual([
      `a/package.json: ${kind} asks for yaml at 2.9.1; catalog: and workspace:* are accepted`,
    ]);
  });

  test("leaves ranges to peers", () => {
    expect(manifestFaults("a/package.json", { peerDependencies: { vitest: ">=3" } })).toEqual([]);
  });

  test("wants one pnpm", () => {
    expect(manifestFaults("package.json", { packageManager: "pnpm@12.21.0" })).toEqual([]);
    expect(manifestFaults("package.json", { packageManager: "pnpm@12" })).toHaveLength(1);
  });
});
