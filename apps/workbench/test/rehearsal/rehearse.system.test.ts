import { execFileSync, spawn } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 120_000 });
const program = fileURLToPath(new URL("../../src/rehearse.ts", import.meta.url));

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "chain-query-interrupted-"));
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

function rehearse(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
  return { child, ended };
}

/** Command lines that speak of the folder. Linux tells them without a program, which a small system lacks. */
function processesThere(): string[] {
  const lines =
    process.platform === "linux"
      ? globSync("/proc/[0-9]*/cmdline").map(read)
      : execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(temporary));
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
}

describe("rehearse", () => {
  test.for(["SIGINT", "SIGTERM"] as const)("leaves no process and no file behind where %s ends it", async (signal) => {
    const { child, ended } = rehearse();
    // The registry runs, and the clone installs or versions.
    await vi.waitFor(() => expect(globSync("*/{registry/htpasswd,clone/node_modules}", { cwd: temporary })).toHaveLength(2), {
      timeout: 90_000,
      interval: 50,
    });
    expect(processesThere()).not.toEqual([]);
    child.kill(signal);
    const { code, output } = await ended;
    expect(code).toBe(signal === "SIGINT" ? 130 : 143);
    expect(output).not.toMatch(/failed|passed|\bat \S+:\d+/);
    expect(readdirSync(temporary)).toEqual([]);
    expect(processesThere()).toEqual([]);
  });

  test("refuses what it does not know in one line", async () => {
    expect(await rehearse("--zap").ended).toEqual({ code: 2, output: "Unknown option '--zap'; see --help\n" });
  });
});
