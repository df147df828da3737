import { expect, test } from "vitest";
import { pnpmCommand } from "../../src/workspace/pnpm.ts";

test("pnpmCommand is the running pnpm, or else the one that package.json names", () => {
  expect(pnpmCommand({ npm_execpath: "/opt/pnpm/pnpm.cjs" })).toEqual([process.execPath, "/opt/pnpm/pnpm.cjs"]);
  expect(pnpmCommand({ npm_execpath: "/opt/pnpm/pnpm" })).toEqual(["/opt/pnpm/pnpm"]);
  expect(pnpmCommand({ npm_execpath: "/opt/npm/npm-cli.js" })).toEqual(["npx", "--yes", expect.stringMatching(/^pnpm@\d/)]);
});
