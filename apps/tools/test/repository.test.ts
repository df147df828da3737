/** The repository as a whole: its checks, its READMEs and its compiler configurations. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript-api";
import { describe, expect, test } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import { LongestFirst, longest } from "../src/test/sequencer.ts";
import { root, workspacePackages } from "../src/workspace/packages.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

test("CI runs all of pnpm check and ends with its exit code", () => {
  const text = read(".ci/run");
  expect(text).toContain("check --all 2>&1 | tee");
  expect(text).toMatch(/^exit "\$status"$/m);
});

test("a run of tests begins with the files that take longest", async () => {
  expect(longest.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const project = { name: "long", config: { isolate: false, sequence: { groupOrder: 0 } } };
  const files = ["apps/tools/test/guides.long.test.ts", ...longest].map((file) => ({ moduleId: join(root, file), project }));
  const vitest = { cache: { getTestSpecificationResult: () => undefined } };
  const sorted = await new LongestFirst(vitest as unknown as Vitest).sort(files as unknown as TestSpecification[]);
  expect(sorted.at(-1)?.moduleId).toBe(join(root, "apps/tools/test/guides.long.test.ts"));
});

/** Links, and code that looks like a path of the repository. */
function pathsIn(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = ""]) => path);
  const code = [
    ...text.matchAll(/`((?:openapi|packages|apps|\.ci|\.github|\.changeset)\/[^`*]*|[\w.-]+\.(?:yaml|md|json|js))`/g),
  ];
  const files = code.map(([, path = ""]) => path).filter((path) => path !== "release.yml");
  return [...links.filter((path) => !path.startsWith("http")), ...files];
}

describe.each(["README.md", "CONTRIBUTING.md", "SECURITY.md", "apps/tools/README.md"])("%s", (file) => {
  test("names paths that exist", () => {
    const folder = file.includes("/") ? file.replace(/\/[^/]*$/, "") : ".";
    const missing = pathsIn(read(file)).filter(
      (path) => !existsSync(join(root, path)) && !existsSync(join(root, folder, path)),
    );
    expect(missing).toEqual([]);
  });
});

test("CONTRIBUTING.md lists every package", () => {
  const packages = workspacePackages(root).map(({ folder }) => folder.slice(root.length));
  expect(packages.filter((folder) => !read("CONTRIBUTING.md").includes(`[${folder}](${folder}/README.md)`))).toEqual([]);
});

test.for([
  "openapi",
  "packages/types",
  "packages/client",
  "packages/command-line",
  "packages/mock",
  "packages/conformance",
  "packages/cli",
])("%s says on which versions of Node.js it runs: those of the matrix", (folder) => {
  expect(JSON.parse(read(`${folder}/package.json`)).engines.node).toBe("^20.19.0 || >=22.12.0");
});

test.for(globSync("*/*/bin/*.js", { cwd: root }))(
  "%s refuses the versions of Node.js that its package does not name",
  (bin) => {
    const [, versions = "[]"] = /checkNodeVersion\("[^"]+", (\[.+\])\)/.exec(read(bin)) ?? [];
    const oldest: string[] = JSON.parse(versions);
    const range = oldest.map((version, index) => `${index === oldest.length - 1 ? ">=" : "^"}${version}`).join(" || ");
    const { engines } = JSON.parse(read(join(dirname(bin), "../package.json")));
    expect(engines.node.replaceAll(/(\.\d+)\.0/g, "$1")).toBe(range);
  },
);

/** Written by tools, or dependencies. */
const EXCLUDED = ["node_modules", "dist", ".reports"];

/** The files of a configuration, without their imports. */
function filesOf(folder: string, name: string): readonly string[] {
  const { config } = ts.readConfigFile(join(folder, name), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, folder).fileNames;
}

test("every TypeScript file of a package is checked by one of its configurations", () => {
  const unchecked = workspacePackages(root).flatMap(({ folder }) => {
    const configurations = readdirSync(folder).filter((name) => /^tsconfig.*\.json$/.test(name));
    const checked = new Set(configurations.flatMap((name) => filesOf(folder, name)));
    return ts.sys.readDirectory(folder, [".ts", ".tsx", ".mts", ".cts"], EXCLUDED).filter((file) => !checked.has(file));
  });
  expect(unchecked.map((file) => relative(root, file))).toEqual([]);
});
