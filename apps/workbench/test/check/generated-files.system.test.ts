import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const script = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url));

describe("fresh", () => {
  let repository: string;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: repository });

  beforeAll(() => {
    repository = mkdtempSync(join(tmpdir(), "chain-query-fresh-"));
    git("init", "--quiet");
    for (const file of ["a.gen.ts", "b.ts"]) writeFileSync(join(repository, file), "one\n");
    git("add", "-A");
    git("commit", "--quiet", "-m", "one");
  });
  afterAll(() => rmSync(repository, { recursive: true }));

  const fresh = () => spawnSync(process.execPath, [script("check/generated-files.ts")], { cwd: repository, encoding: "utf8" });

  test("passes if only other files differ", () => {
    writeFileSync(join(repository, "b.ts"), "two\n");
    expect(fresh()).toMatchObject({ status: 0, stderr: "" });
  });

  test("names generated files that differ or were never committed, and the fix", () => {
    writeFileSync(join(repository, "a.gen.ts"), "two\n");
    writeFileSync(join(repository, "c.gen.ts"), "new\n");
    const { status, stderr } = fresh();
    expect(status).toBe(1);
    expect(stderr).toMatch(/a\.gen\.ts\n.*c\.gen\.ts\nTo fix it: pnpm generate/);
  });
});
