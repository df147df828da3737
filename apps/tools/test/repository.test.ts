/** The repository as a whole: its checks, its READMEs and its compiler configurations. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript-api";
import { describe, expect, test } from "vitest";
import { ofBuilds, ofSources, onlyInCi } from "../src/check/checks.ts";
import { root, workspacePackages } from "../src/workspace/packages.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

// A check that is left out fails no test, so its presence is checked here.
test("pnpm check has every check", () => {
  expect([...ofSources, ...ofBuilds, ...onlyInCi].map(({ name }) => name)).toEqual([
    "lint and typecheck of the packages",
    "biome",
    "knip",
    "lint:layers",
    "lint:spelling",
    "lint:words",
    "generated files",
    "semver policy",
    "release dry run",
    "runtimes and compilers of the client",
    "audit",
  ]);
});

test("CI runs all of pnpm check and ends with its exit code", () => {
  const text = read(".ci/run");
  expect(text).toContain("check --all 2>&1 | tee");
  expect(text).toMatch(/^exit "\$status"$/m);
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

describe("README.md", () => {
  test("lists every package", () => {
    const packages = workspacePackages(root).map(({ folder }) => folder.slice(root.length));
    expect(packages.filter((folder) => !read("README.md").includes(`[${folder}](${folder}/README.md)`))).toEqual([]);
  });

  test("draws packages that exist, and arrows between packages of which one depends on the other", () => {
    const lines = /^ a request arrives.*?(?=^```)/ms.exec(read("README.md"))?.[0].split("\n") ?? [];
    const middle = lines[0]?.indexOf("a block is made") ?? 0;
    const columns = [lines.map((line) => line.slice(1, middle)), lines.map((line) => line.slice(middle))];
    const dependencies = new Map(
      workspacePackages(root).map(({ name, manifest }) => [name, Object.keys(manifest.dependencies ?? {})]),
    );
    const depends = (one: string, other: string) => dependencies.get(`@chain-query/${one}`)?.includes(`@chain-query/${other}`);
    // Down a column, from the package at the start of a line to the next one and to the branches between them.
    const arrows = columns.flatMap((column) => {
      let from = "";
      return column.flatMap((line) => {
        const [, start, branch] = /^(?:([a-z-]+)(?:[:,]| ◀)| *[├└]─+▶ ([a-z-]+))/.exec(line) ?? [];
        const arrow = [from, start ?? branch ?? ""] as const;
        from = start ?? from;
        return arrow.includes("") ? [] : [arrow];
      });
    });
    expect(arrows).toHaveLength(7);
    // A client calls the server over HTTP.
    expect(arrows.filter(([from, to]) => !depends(from, to) && !depends(to, from))).toEqual([["client", "server"]]);
    const names = lines.flatMap((line) => [...line.matchAll(/▶ ([a-z-]+)/g)].map(([, name]) => `@chain-query/${name}`));
    expect(names.filter((name) => !dependencies.has(name))).toEqual([]);
  });

  test("shows how to install and to start on its first screen, then three ways on, then the packages", () => {
    const text = read("README.md");
    const firstScreen = text.split("\n").slice(0, 35).join("\n");
    expect(firstScreen).toContain("\nnpm install @chain-query/client\n");
    expect(firstScreen).toMatch(/\n```ts\nimport .*\n```\n/s);
    expect(firstScreen).toMatch(/npx pnpm@\S+ start .*\nnpx pnpm@\S+ test /);
    expect(firstScreen.match(/^- \*\*You .*?:\*\*/gm)).toEqual([
      "- **You write an app:**",
      "- **You write tests:**",
      "- **You run a deployment:**",
    ]);
    expect(text.match(/^## .*$/gm)).toEqual(["## Packages", "## Where do I change …"]);
  });
});

test.for(["openapi", "packages/types", "packages/client", "packages/command-line", "packages/mock", "packages/conformance"])(
  "%s says on which versions of Node.js it runs: those of the matrix",
  (folder) => {
    expect(JSON.parse(read(`${folder}/package.json`)).engines.node).toBe("^20.19.0 || >=22.12.0");
  },
);

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
