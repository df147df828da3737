import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test-folders.ts";

const run = promisify(execFile);
const golden = readFileSync(new URL("./seed-1.txt", import.meta.url), "utf8");
const script = fileURLToPath(new URL("run-chain.ts", import.meta.url));

/** Produces a chain of seed 1 in processes of several time zones and languages, each with a new producer for each number of steps. */
export function testGolden(...counts: readonly (readonly number[])[]): void {
  const places = [
    { TZ: "Asia/Tokyo", LANG: "tr_TR.UTF-8" },
    { TZ: "UTC", LANG: "C" },
  ];
  test("a chain of seed 1 is the same in every process, folder, time zone and language, and when it is reopened", async () => {
    expect(golden.split("\n")).toHaveLength(202);
    const made = counts.map(async (steps, i) => {
      const env = { ...process.env, ...places[i % places.length] };
      const { stdout } = await run(process.execPath, [script, join(temporaryFolder(), "chain"), ...steps.map(String)], { env });
      const blocks = steps.reduce((sum, count) => sum + count, 1);
      expect(stdout).toBe(golden.split("\n").slice(0, blocks).join("\n").concat("\n"));
    });
    await Promise.all(made);
  });
}
