import { execFileSync, spawn } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { resultOf } from "@chain-query/testing/processes";
import { showIfFailed, until } from "@chain-query/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("../src/release-dry-run/command.ts", import.meta.url));

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "chain-query-interrupted-"));
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

/** Command lines that contain the folder. Linux shows them in /proc, without `ps`, which small systems lack. */
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
    // It has ended meanwhile.
    return "";
  }
}

function dryRun() {
  const child = spawn(process.execPath, [program], { env: { ...process.env, TMPDIR: temporary } });
  let printed = "";
  const ended = resultOf(child, (output) => {
    printed = output;
  });
  showIfFailed("the dry run", () => printed);
  return { child, ended };
}

describe("the release dry run", () => {
  test("makes the next release, and installs and runs it", async () => {
    const { code, output } = await dryRun().ended;
    expect(output).toMatch(/^[1-9]\d* passed, 0 failed\n$/m);
    expect(code).toBe(0);
  });

  test("leaves no process and no file behind on SIGINT", async () => {
    const { child, ended } = dryRun();
    // The registry runs, and the clone installs or makes versions.
    await until(
      () => globSync("*/{registry/htpasswd,clone/node_modules}", { cwd: temporary }),
      (made) => made.length === 2 && processesThere().length > 0,
      600_000,
    );
    child.kill("SIGINT");
    const { code, output } = await ended;
    expect(code).toBe(130);
    expect(output).not.toMatch(/failed|passed|\bat \S+:\d+/);
    expect(readdirSync(temporary)).toEqual([]);
    expect(processesThere()).toEqual([]);
  });
});
