import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "@chain-query/testing/folders";
import { expect, test } from "vitest";

const run = promisify(execFile);
const golden = readFileSync(new URL("./seed-1.txt", import.meta.url), "utf8");
const script = fileURLToPath(new URL("run-chain.ts", import.meta.url));

test("a chain of seed 1 is the same in every process, folder, time zone and language, and when it is reopened", async () => {
  const places = [
    { place: { TZ: "Asia/Tokyo", LANG: "tr_TR.UTF-8" }, counts: [1, 3, 8] },
    { place: { TZ: "UTC", LANG: "C" }, counts: [12] },
  ];
  const made = places.map(async ({ place, counts }) => {
    const env = { ...process.env, ...place };
    const { stdout } = await run(process.execPath, [script, join(temporaryFolder(), "chain"), ...counts.map(String)], { env });
    expect(stdout).toBe(golden);
  });
  await Promise.all(made);
});
