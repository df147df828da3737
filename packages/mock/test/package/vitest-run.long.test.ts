/** Runs vitest in a project that takes the mock from this package. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

const testFile = `
import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
test("the mock answers", async () => {
  const url = process.env["CHAIN_QUERY_URL"];
  appendFileSync("urls.txt", process.env["PROJECT"] + " " + url + "\\n");
  expect((await fetch(url + "/api/v2/getMasterchainInfo")).status).toBe(200);
});
`;

test("one mock serves all files of a run, in forks and in threads; a setup file gives each file its own", async () => {
  mkdirSync(join(root, ".reports"), { recursive: true });
  // Inside the package, so that its name resolves to its exports.
  const folder = mkdtempSync(join(root, ".reports", "vitest-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const projects = [{ pool: "forks" }, { pool: "threads" }, { pool: "threads", setupFiles: ["@chain-query/mock/vitest"] }].map(
    (options, index) => ({ test: { ...options, name: `project ${index}`, env: { PROJECT: index } } }),
  );
  const config = { test: { globalSetup: ["@chain-query/mock/vitest-run"], projects } };
  writeFileSync(join(folder, "vitest.config.ts"), `export default ${JSON.stringify(config)};\n`);
  for (const name of ["one", "two"]) writeFileSync(join(folder, `${name}.test.ts`), testFile);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  await promisify(execFile)(process.execPath, [vitest, "run"], { cwd: folder });

  const lines = readFileSync(join(folder, "urls.txt"), "utf8").trim().split("\n").toSorted();
  const [one = "", ...others] = lines.map((line) => line.slice(2));
  expect(lines.map((line) => line.slice(0, 2))).toEqual(["0 ", "0 ", "1 ", "1 ", "2 ", "2 "]);
  expect(one).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(others.slice(0, 3)).toEqual([one, one, one]);
  expect(new Set([one, ...others]).size).toBe(3);
  // It ends with the run.
  await expect(fetch(one)).rejects.toThrow();
});
