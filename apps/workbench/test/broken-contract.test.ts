import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../src/command.ts";

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "chain-query-broken-"));
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  execFileSync("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts"], { cwd: copy, stdio: "pipe" });
}, 300_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const build = () => {
  const turbo = join(root, "node_modules/.bin/turbo");
  const env = { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" };
  const { status, stdout, stderr } = spawnSync(turbo, ["run", "build"], { cwd: copy, env, encoding: "utf8" });
  return { status, output: stdout + stderr };
};

describe("a broken contract", () => {
  test("stops at lint with file, line and what to do, and nothing downstream is built", () => {
    const path = join(copy, "openapi/paths/lookupBlock.yaml");
    const whole = readFileSync(path, "utf8");
    writeFileSync(path, whole.replace("summary: Look up a block", "summary: Fetches a block."));
    const { status, output } = build();
    expect(status).not.toBe(0);
    expect(output).toMatch(/paths\/lookupBlock\.yaml:4:\d+/);
    expect(output).toContain("A summary begins with Read, List, Find, Locate or Look up and has no full stop.");
    expect(existsSync(join(copy, "openapi/dist"))).toBe(false);
    expect(existsSync(join(copy, "packages/types/dist"))).toBe(false);

    writeFileSync(path, whole);
    expect(build().status).toBe(0);
    expect(existsSync(join(copy, "packages/client/dist/index.js"))).toBe(true);
  }, 300_000);
});
