/** Runs vitest in a project that takes the mock from this package. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
beforeEach(() => {
  mkdirSync(join(root, ".reports"), { recursive: true });
  // Inside the package, so that its own name leads to what it ships.
  folder = mkdtempSync(join(root, ".reports", "vitest-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const testFile = `
import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
test("the mock answers", async () => {
  const url = process.env["CHAIN_QUERY_URL"];
  appendFileSync("urls.txt", url + "\\n");
  expect((await fetch(url + "/api/v2/getMasterchainInfo")).status).toBe(200);
});
`;

/** The URLs of two test files. */
async function urlsWith(options: object): Promise<string[]> {
  writeFileSync(join(folder, "vitest.config.ts"), `export default ${JSON.stringify({ test: options })};\n`);
  for (const name of ["one", "two"]) writeFileSync(join(folder, `${name}.test.ts`), testFile);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  await promisify(execFile)(process.execPath, [vitest, "run"], { cwd: folder });
  return readFileSync(join(folder, "urls.txt"), "utf8").trim().split("\n");
}

test.for(["forks", "threads"])("one mock serves all files of a run in %s, and ends with it", async (pool) => {
  const [one, two, ...others] = await urlsWith({ pool, globalSetup: ["@chain-query/mock/vitest-run"] });
  expect(one).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect([two, ...others]).toEqual([one]);
  await expect(fetch(String(one))).rejects.toThrow();
});

test("each file has a mock of its own from the setup file", async () => {
  const urls = await urlsWith({ setupFiles: ["@chain-query/mock/vitest"] });
  expect(new Set(urls).size).toBe(2);
});
