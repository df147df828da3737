/** `pnpm test`: runs the tests of every package, after the tasks that are named, and ends with one line that counts them all. */
import { globSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseFlags, root, runCommand, UsageError } from "./command.ts";
import { count, countsOf, total } from "./test-counts.ts";
import { turbo } from "./turbo.ts";

const accepted = ["lint", "typecheck", "build"];

await runCommand(async () => {
  const { positionals: tasks } = parseFlags({ allowPositionals: true, options: {} });
  const unknown = tasks.find((task) => !accepted.includes(task));
  if (unknown !== undefined) throw new UsageError(`test ${unknown}: tasks to run before are ${accepted.join(", ")}`);

  // A report of an earlier run must not be counted; turbo brings back those of a run that it need not repeat.
  for (const report of reports()) rmSync(report);

  process.env["RECORDED_BODIES"] = recordedBodies();
  // One package at a time for each core: tests start servers, browsers and processes of their own.
  const exitCode = await turbo(
    [...tasks, "test"],
    ["--continue=dependencies-successful", "--output-logs=new-only", "--concurrency=100%"],
  );
  const packages = globSync("{openapi,packages/*,apps/*}/package.json", { cwd: root })
    .map((path) => join(root, path))
    .filter((path) => "test" in (JSON.parse(readFileSync(path, "utf8")).scripts ?? {}));
  const silent = packages.map(dirname).filter((folder) => !reports().includes(join(folder, ".reports/test.json")));
  for (const folder of silent) console.error(`${relative(root, folder)}: its tests did not run`);

  const { passed, failed } = total(reports().map((report) => countsOf(readFileSync(report, "utf8"))));
  console.log(count(passed, failed + silent.length));
  return exitCode === 0 && failed + silent.length > 0 ? 1 : exitCode;
});

function reports(): string[] {
  return globSync("{openapi,packages/*,apps/*}/.reports/test.json", { cwd: root }).map((path) => join(root, path));
}

/** What turbo cannot see, since it lies beside the checkout: a change of the recorded bodies makes their tests run again. */
function recordedBodies(): string {
  const folder = join(root, "../shared/recorded");
  const files = globSync("**/*.json", { cwd: folder }).sort();
  return files.map((file) => `${file}:${statSync(join(folder, file)).mtimeMs}`).join();
}
