import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";

const run = promisify(execFile);
const golden = readFileSync(new URL("./seed-1.txt", import.meta.url), "utf8");
const script = fileURLToPath(new URL("run-chain.ts", import.meta.url));

describe("a chain of seed 1", () => {
  test("is the same in every process, folder, time zone and language, and when it is reopened", async () => {
    const runs = [
      { steps: ["200"], env: { TZ: "UTC", LANG: "C" } },
      { steps: ["1", "9", "20"], env: { TZ: "Asia/Tokyo", LANG: "tr_TR.UTF-8" } },
    ];
    const outputs = await Promise.all(
      runs.map(({ steps, env }) =>
        run(process.execPath, [script, join(temporaryFolder(), "chain"), ...steps], { env: { ...process.env, ...env } }),
      ),
    );
    expect(golden.split("\n")).toHaveLength(202);
    expect(outputs[0]?.stdout).toBe(golden);
    expect(outputs[1]?.stdout).toBe(golden.split("\n").slice(0, 31).join("\n").concat("\n"));
  }, 180_000);
});
