import { existsSync, globSync, readFileSync } from "node:fs";
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
  test("has a line for every room", () => {
    const rooms = workspacePackages(root).map(({ folder }) => folder.slice(root.length));
    expect(rooms.filter((room) => !read("README.md").includes(`[${room}](${room}/README.md)`))).toEqual([]);
  });

  test("draws what each room imports in its source", () => {
    const picture = read("README.md").split("```")[3] ?? "";
    const drawn = [...picture.matchAll(/([a-z-]+) ─+▶ (.*)/g)].map(([, room, imported = ""]) => [
      room,
      imported.split(", ").sort(),
    ]);
    const real = workspacePackages(root).map(({ folder, name }) => {
      const room = nameOf(name);
      // A room may import its own modules by their published names.
      return [room, importsOf(folder).filter((imported) => imported !== room)] as const;
    });
    const others = real.filter(([, imported]) => imported.length === 0).map(([room]) => room);
    expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(real.filter(([, imported]) => imported.length > 0)));
    for (const room of others) expect(picture).toContain(room);
  });

  test("shows two commands first", () => {
    expect(read("README.md").split("\n").slice(0, 14).join("\n")).toMatch(/npx pnpm@\S+ start .*\nnpx pnpm@\S+ test /);
  });
});

function nameOf(name: string): string {
  return name.replace("@chain-query/", "");
}

/** The packages of the workspace that the source of a package imports. */
function importsOf(folder: string): string[] {
  const found = globSync("src/**/*.ts", { cwd: folder }).flatMap((file) => [
    ...readFileSync(join(folder, file), "utf8").matchAll(
      /^(?:import|export|\}|.*\bimport\()(?:.*from )?[ (]*"(@chain-query\/[a-z-]+)/gm,
    ),
  ]);
  return [...new Set(found.map(([, name = ""]) => nameOf(name)))].sort();
}
