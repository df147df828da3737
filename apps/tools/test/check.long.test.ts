import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "../src/workspace/packages.ts";
import { refuseDirtyTree } from "../src/workspace/processes.ts";
import { type Fixture, makeFixture } from "./fixture.ts";

let fixture: Fixture;

beforeEach(() => {
  fixture = makeFixture();
});
afterEach(() => fixture.remove());

function lint(config: string, command: string, ...args: string[]) {
  cpSync(join(root, config), join(fixture.folder, config));
  const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin", command), args, {
    cwd: fixture.folder,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

test("lint:layers names every import that does not point down, and no other", () => {
  fixture.write({
    "package.json": '{ "type": "module" }',
    // Sound.
    "packages/mock/src/index.ts": 'import { a } from "@chain-query/openapi";\nexport const b = a;\n',
    "packages/local-chain/src/genesis/g.ts": 'export { s } from "../store/s.ts";\n',
    "apps/tools/src/index.ts": 'import "@chain-query/types";\n',
    // Not sound.
    "openapi/src/a.ts": 'import "@chain-query/types";\n',
    "packages/local-chain/src/store/s.ts": 'import type { g } from "../genesis/g.ts";\nexport const s = 1;\n',
    "packages/types/src/index.ts": 'import "../../client/src/index.ts";\n',
    "packages/client/src/index.ts": 'import "../test/fixture.ts";\nimport "@chain-query/types/src/index.ts";\n',
    "packages/local-chain/src/stray.ts": 'import "./store/s.ts";\n',
    "packages/client/test/fixture.ts": "export {};\n",
    "packages/client/bench/bench.ts": 'import "../test/fixture.ts";\nimport "../src/index.ts";\n',
  });
  const { status, output } = lint(".dependency-cruiser.js", "depcruise", "--no-progress", "openapi", "packages", "apps");
  expect(status).not.toBe(0);
  const found = [...output.matchAll(/^ {2}error (.*): (\S+) → /gm)].map(([, rule, file]) => `${rule} ${file}`).sort();
  // A circle of type imports counts.
  expect(found.filter((each) => each.startsWith("no-circle"))).not.toEqual([]);
  expect(found.filter((each) => !each.startsWith("no-circle"))).toEqual([
    "benches-import-no-tests packages/client/bench/bench.ts",
    "benches-use-exports packages/client/bench/bench.ts",
    "no-import-past-exports packages/client/src/index.ts",
    "no-path-out-of-a-package packages/types/src/index.ts",
    "packages/local-chain: no row packages/local-chain/src/stray.ts",
    expect.stringMatching(/^packages\/local-chain: store.* packages\/local-chain\/src\/store\/s\.ts$/),
    expect.stringMatching(/^packages: openapi.* openapi\/src\/a\.ts$/),
    expect.stringMatching(/^packages: types.* packages\/types\/src\/index\.ts$/),
    "source-imports-no-tests packages/client/src/index.ts",
  ]);
});

test("lint:words names every forbidden word, in hidden files too, and no word that contains one", () => {
  // Written in two parts, since this file is checked as well.
  const forbidden = [
    ["no", "body"],
    ["who", "ever"],
    ["tellNo", "body()"],
    ["Some", "body"],
    ["what", "ever"],
    ["men", "ds"],
    ["hee", "d"],
    ["rehe", "arsal"],
    ["it is", " told"],
    ["there is", " none"],
    ["for", " ever"],
    ["np", "x chain-query-lite global.config.json"],
    ["np", "x --yes chain-query-lite global.config.json"],
  ].map((parts) => parts.join(""));
  fixture.write({
    ".github/a.yml": forbidden.map((text) => `# ${text}\n`).join(""),
    "a.ts":
      "// We recommend to amend it; the caller receives none of them, and is retold ever after.\n// npx @chain-query/lite\n",
  });
  const { status, output } = lint(
    "cspell.forbidden.yaml",
    "cspell",
    ...["lint", "--config", "cspell.forbidden.yaml", "--dot", "--no-progress"],
  );
  expect(status).toBe(1);
  const found = [...output.matchAll(/^(\S+):(\d+):\d+ - Forbidden word/gm)].map(([, file, line]) => `${file}:${line}`);
  expect(found).toEqual(forbidden.map((_, index) => `.github/a.yml:${index + 1}`));
});

test("check names generated files that differ or were never committed, and no other files", () => {
  const check = () => refuseDirtyTree(fixture.folder, " after pnpm generate", "*.gen.ts");
  fixture.git("init", "--quiet");
  fixture.write({ "a.gen.ts": "one\n", "b.ts": "one\n" });
  fixture.commit();
  fixture.write({ "b.ts": "two\n" });
  check();
  fixture.write({ "a.gen.ts": "two\n", "c.gen.ts": "new\n" });
  expect(check).toThrow("a.gen.ts and 1 more differ from the commit after pnpm generate; commit or stash first");
});
