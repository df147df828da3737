/** `pnpm test`: runs the tests of every package, after the tasks that are named, and ends with one line that counts them all. */
import { globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./command.ts";
import { count, countsOf, total } from "./test-counts.ts";
import { turbo } from "./turbo.ts";

const tasks = process.argv.slice(2);

// A report of an earlier run must not be counted; turbo brings back those of a run that it need not repeat.
for (const report of reports()) rmSync(report);

// One package at a time for each core: tests start servers, browsers and processes of their own.
const exitCode = await turbo([...tasks, "test"], ["--continue", "--output-logs=new-only", "--concurrency=100%"]);
const packages = globSync("{openapi,packages/*,apps/*}/package.json", { cwd: root })
  .map((path) => join(root, path))
  .filter((path) => "test" in (JSON.parse(readFileSync(path, "utf8")).scripts ?? {}));
const silent = packages.map(dirname).filter((folder) => !reports().includes(join(folder, ".reports/test.json")));
for (const folder of silent) console.error(`${folder}: its tests did not run`);

const { passed, failed } = total(reports().map((report) => countsOf(readFileSync(report, "utf8"))));
console.log(count(passed, failed + silent.length));
process.exitCode = exitCode === 0 && failed + silent.length === 0 ? 0 : exitCode || 1;

function reports(): string[] {
  return globSync("{openapi,packages/*,apps/*}/.reports/test.json", { cwd: root }).map((path) => join(root, path));
}
