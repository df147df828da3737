import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript-api";
import { expect, test } from "vitest";
import { root, workspacePackages } from "../../src/workspace/packages.ts";

/** Written by tools, or dependencies. */
const EXCLUDED = ["node_modules", "dist", ".reports"];

/** The files that a configuration names, without those that they import. */
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
