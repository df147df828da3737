import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../src/workspace/command.ts";

// Whoever leaves a gate out sees nothing fail, so what runs them is read here.
const gates = { "apps/workbench/src/check.ts": ["fresh", "semver"], ".ci/run": ["fresh", "semver"] };
const verbs = ["lint", "typecheck", "test", "test:matrix", "rehearse", "run audit"];

describe("the gates", () => {
  test.for(Object.entries(gates))("of generated files and of versions stand in %s", ([file, programs]) => {
    const text = readFileSync(join(root, file), "utf8");
    for (const program of programs)
      expect(text).toContain(`node${file === ".ci/run" ? " " : '", "'}apps/workbench/src/${program}.ts`);
  });

  test("of CI are all verbs, and its exit code is that of what failed", () => {
    const lines = readFileSync(join(root, ".ci/run"), "utf8").split("\n");
    for (const verb of verbs) {
      expect(
        lines.filter((line) => line.startsWith(`$pnpm ${verb} `) && /\|\| (status=|finish )\$\?$/.test(line)),
      ).toHaveLength(1);
    }
  });
});
