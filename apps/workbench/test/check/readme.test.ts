import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root, workspacePackages } from "../../src/workspace/packages.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Links, and code that looks like a path of the repository. */
function pathsIn(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = ""]) => path);
  const code = [
    ...text.matchAll(/`((?:openapi|packages|apps|\.ci|\.github|\.changeset)\/[^`*]*|[\w.-]+\.(?:yaml|md|json|js))`/g),
  ];
  const files = code.map(([, path = ""]) => path).filter((path) => path !== "release.yml");
  return [...links.filter((path) => !path.startsWith("http")), ...files];
}

describe.each(["README.md", "CONTRIBUTING.md", "SECURITY.md", "apps/workbench/README.md"])("%s", (file) => {
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

  test("shows two commands first", () => {
    expect(read("README.md").split("\n").slice(0, 14).join("\n")).toMatch(/npx pnpm@\S+ start .*\nnpx pnpm@\S+ test /);
  });
});
