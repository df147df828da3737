import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ofBuilds, ofSources, onlyInCi } from "../../src/check/checks.ts";
import { root } from "../../src/workspace/packages.ts";

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
    "law of versions",
    "rehearsal of a release",
    "runtimes and compilers of the client",
    "audit",
  ]);
});

test("CI runs all of pnpm check and ends with its exit code", () => {
  const text = readFileSync(join(root, ".ci/run"), "utf8");
  expect(text).toContain("check --all 2>&1 | tee");
  expect(text).toMatch(/^exit "\$status"$/m);
});
