import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { root } from "../src/workspace/command.ts";
import { copyWorkspace } from "./workspace-copy.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let copy: string;

beforeAll(() => {
  copy = copyWorkspace("broken", "--ignore-scripts");
  // A chain does not hang on the contract: its tests would run here for over a minute, and tell nothing.
  rmSync(join(copy, "packages/local-chain/test"), { recursive: true });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const env = { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" };

function run(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

const verbs = {
  build: () => run(join(root, "node_modules/.bin/turbo"), ["run", "build"]),
  test: () => run(process.execPath, ["apps/workbench/src/test.ts"]),
  check: () => run(join(root, "node_modules/.bin/turbo"), ["run", "lint", "typecheck"]),
};

describe("a broken contract", () => {
  const path = () => join(copy, "openapi/paths/lookupBlock.yaml");
  let whole: string;

  beforeAll(() => {
    whole = readFileSync(path(), "utf8");
    writeFileSync(path(), whole.replace("summary: Look up a block", "summary: Fetches a block."));
  });
  afterAll(() => writeFileSync(path(), whole));

  test.for(["build", "test", "check"] as const)("stops %s at lint, and nothing downstream is built", (verb) => {
    const { status, output } = verbs[verb]();
    expect(status).not.toBe(0);
    expect(output).toMatch(/paths\/lookupBlock\.yaml:4:\d+/);
    expect(output).toContain("A summary begins with Read, List, Find, Locate or Look up and has no full stop.");
    expect(existsSync(join(copy, "openapi/dist"))).toBe(false);
    expect(existsSync(join(copy, "packages/types/dist"))).toBe(false);
  });

  test("is built again once it is mended", () => {
    writeFileSync(path(), whole);
    expect(verbs.build().status).toBe(0);
    expect(existsSync(join(copy, "packages/client/dist/index.js"))).toBe(true);
  });
});
