import { describe, expect, test } from "vitest";
import { distTag, type PublishPlan, type Sbom, withBundled, withDistTags } from "../src/release/publish.ts";
import { contentFaults, fileFaults } from "../src/release/tarballs.ts";
import { root } from "../src/workspace/packages.ts";

describe("distTag", () => {
  test.for([
    ["2.1.0", "latest"],
    ["2.1.0+build", "latest"],
    ["2.1.0-next.0", "next"],
    ["2.1.0-try-20261121093000", "try"],
  ] as const)("of %s is %s", ([version, tag]) => {
    expect(distTag({ name: "a", version })).toBe(tag);
  });

  test("refuses a version that no changeset made", () => {
    expect(() => distTag({ name: "a", version: "2.0.0-0" })).toThrow("a 2.0.0-0: its prerelease has no word");
  });
});

describe("withDistTags", () => {
  const plan: PublishPlan = {
    version: 1,
    plan: [
      [{ kind: "publish", name: "a", version: "1.1.0-next.0", tag: "latest" }],
      [{ kind: "tag-only", name: "b", version: "1.0.0" }],
    ],
  };

  test("sets the tag of each published version", () => {
    expect(withDistTags(plan, undefined).plan[0]?.[0]).toMatchObject({ tag: "next" });
    expect(withDistTags(plan, "try").plan[0]?.[0]).toMatchObject({ tag: "try" });
    expect(withDistTags(plan, "try").plan[1]?.[0]).not.toHaveProperty("tag");
  });
});

describe("fileFaults", () => {
  const built = ["dist/index.js", "dist/index.d.ts.map", "dist/index.cjs", "dist/index.d.cts", "dist/index.cjs.map"];
  const files = ["package.json", "README.md", "LICENSE", "bin/a.js", ...built, "src/index.ts"];

  test("accepts the files of every package", () => {
    expect(fileFaults("a", files)).toEqual([]);
  });

  test.for([
    [".env", "a: .env is not on the list"],
    ["dist/tsconfig.json", "a: dist/tsconfig.json is not on the list"],
    ["dist/index.test.js", "a: dist/index.test.js is a test"],
    ["src/test/index.ts", "a: src/test/index.ts is a test"],
    ["dist/openapi.json", "a: dist/openapi.json is not on the list"],
  ] as const)("names %s", ([file, fault]) => {
    expect(fileFaults("a", [...files, file])).toEqual([expect.stringContaining(fault)]);
  });

  test("accepts the data of the package that has it", () => {
    expect(fileFaults("@chain-query/openapi", [...files, "dist/openapi.json"])).toEqual([]);
  });

  test("names a required file that is absent", () => {
    expect(fileFaults("a", files.slice(1))).toEqual(["a: package.json is missing"]);
  });
});

describe("contentFaults", () => {
  test.for([
    [`//registry.npmjs.org/:_authToken=npm_${"a".repeat(36)}`, "an npm token"],
    [`const token = "ghp_${"a".repeat(36)}";`, "a GitHub token"],
    [`AKIA${"A".repeat(16)}`, "an AWS key"],
    [["-----BEGIN RSA", "PRIVATE KEY-----"].join(" "), "a private key"],
    [`{"sources":["${root}packages/a/src/index.ts"]}`, "an absolute path"],
  ] as const)("names %s", ([text, what]) => {
    expect(contentFaults("a", "dist/index.js", text)).toEqual([`a: dist/index.js contains ${what}`]);
  });

  test("accepts plain sources", () => {
    expect(contentFaults("a", "dist/index.js", "export const npm_config = 1;\n")).toEqual([]);
  });
});

const component = (name: string) => ({ "bom-ref": `pkg:npm/${name}@1.0.0`, purl: `pkg:npm/${name}@1.0.0` });
const sbom = (...names: string[]): Sbom => ({
  metadata: { component: component("mock") },
  components: names.map(component),
  dependencies: [
    { ref: "pkg:npm/mock@1.0.0", dependsOn: ["pkg:npm/openapi@1.0.0"] },
    { ref: "pkg:npm/openapi@1.0.0", dependsOn: [] },
  ],
});

test("an SBOM names installed and bundled packages, each once", () => {
  const merged = withBundled(sbom("openapi"), sbom("openapi", "prism", "vitest"), [
    "pkg:npm/prism@1.0.0",
    "pkg:npm/openapi@1.0.0",
  ]);
  expect(merged.components).toEqual([component("openapi"), component("prism")]);
  expect(merged.dependencies).toEqual([
    { ref: "pkg:npm/mock@1.0.0", dependsOn: ["pkg:npm/openapi@1.0.0", "pkg:npm/prism@1.0.0"] },
    { ref: "pkg:npm/openapi@1.0.0", dependsOn: [] },
    { ref: "pkg:npm/prism@1.0.0", dependsOn: [] },
  ]);
});

test("a bundled package that the workspace does not have is an error", () => {
  expect(() => withBundled(sbom(), sbom("prism"), ["pkg:npm/lodash@4.0.0"])).toThrow(
    "bundled, but not installed: pkg:npm/lodash@4.0.0",
  );
});
