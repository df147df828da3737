import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runJobs } from "../../src/workspace/jobs.ts";

test("a job that mostly waits runs beside those in the slots", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const made = JSON.stringify(join(folder, "made"));
  const node = (code: string): readonly string[] => [process.execPath, "--eval", `const fs = require("node:fs"); ${code}`];
  const results = await runJobs(
    [
      { name: "first", command: node(`const look = () => fs.existsSync(${made}) || setTimeout(look, 20); look();`) },
      { name: "last", command: node("process.exit(3);") },
      { name: "beside", command: node(`fs.writeFileSync(${made}, "");`), waits: true },
    ],
    1,
  );
  expect(results.map(({ name, code }) => [name, code]).sort()).toEqual([
    ["beside", 0],
    ["first", 0],
    ["last", 3],
  ]);
});
