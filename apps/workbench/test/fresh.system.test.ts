import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "./run.ts";

let repository: string;
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: repository });

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "chain-query-fresh-"));
  git("init", "--quiet");
  writeFileSync(join(repository, "a.gen.ts"), "one\n");
  writeFileSync(join(repository, "b.ts"), "one\n");
  git("add", "-A");
  git("commit", "--quiet", "-m", "one");
});
afterEach(() => rmSync(repository, { recursive: true }));

describe("fresh", () => {
  test("is content where no generated file differs", async () => {
    writeFileSync(join(repository, "b.ts"), "two\n");
    expect(await run("fresh.ts", [], repository).ended).toMatchObject({ code: 0, output: "" });
  });

  test("names a generated file that differs, and what mends it", async () => {
    writeFileSync(join(repository, "a.gen.ts"), "two\n");
    const { code, output } = await run("fresh.ts", [], repository).ended;
    expect(code).toBe(1);
    expect(output).toContain("a.gen.ts");
    expect(output).toContain("pnpm generate");
  });

  test("names a generated file that was never committed", async () => {
    writeFileSync(join(repository, "c.gen.ts"), "new\n");
    expect(await run("fresh.ts", [], repository).ended).toMatchObject({ code: 1, output: expect.stringContaining("c.gen.ts") });
  });
});

describe("a verb", () => {
  test.for([
    ["test.ts", ["--zap"], "Unknown option '--zap'"],
    ["test.ts", ["zap"], "test zap: expected unit, system or nothing for both"],
    ["check.ts", ["--zap"], "Unknown option '--zap'"],
    ["fresh.ts", ["zap"], "Unexpected argument 'zap'"],
  ] as const)("%s refuses %j in one line", async ([file, args, message]) => {
    const { code, output } = await run(file, args).ended;
    expect(code).toBe(2);
    expect(output).toContain(message);
    expect(output.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("bench", () => {
  test("tells which benches there are where the name is unknown", async () => {
    const { code, output } = await run("bench.ts", ["nonsense"]).ended;
    expect(code).toBe(2);
    expect(output).toBe('bench "nonsense": one of client, pipeline, mock, local-chain, docs, server is accepted\n');
  });
});
