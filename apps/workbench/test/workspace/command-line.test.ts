import { expect, test } from "vitest";
import { parseFlags, parsePort, UsageError } from "../../src/workspace/command-line.ts";
import { pnpmCommand } from "../../src/workspace/pnpm.ts";

test("parseFlags refuses unknown flags and arguments in one line", () => {
  expect(() => parseFlags({ args: ["--zap"], options: {} })).toThrow(new UsageError("Unknown option '--zap'; see --help"));
  expect(() => parseFlags({ args: ["stray"], options: {} })).toThrow("Unexpected argument 'stray'");
  expect(parseFlags({ args: ["--", "a"], allowPositionals: true, options: {} }).positionals).toEqual(["a"]);
});

test("parsePort accepts 0 to 65535", () => {
  expect([parsePort("--port", "0"), parsePort("--port", "65535")]).toEqual([0, 65535]);
  for (const text of ["65536", "web", "-1", "1.5", ""]) {
    expect(() => parsePort("--port", text)).toThrow(`--port: expected a port from 0 to 65535, got "${text}"`);
  }
});

test("pnpmCommand is the running pnpm, or else the one that package.json names", () => {
  expect(pnpmCommand({ npm_execpath: "/opt/pnpm/pnpm.cjs" })).toEqual([process.execPath, "/opt/pnpm/pnpm.cjs"]);
  expect(pnpmCommand({ npm_execpath: "/opt/pnpm/pnpm" })).toEqual(["/opt/pnpm/pnpm"]);
  expect(pnpmCommand({ npm_execpath: "/opt/npm/npm-cli.js" })).toEqual(["npx", "--yes", expect.stringMatching(/^pnpm@\d/)]);
});
