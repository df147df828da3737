/** Runs the two tiers of tests and reads their reports. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { type Job, type JobResult, runJobs } from "../workspace/jobs.ts";
import { root, workspacePackages } from "../workspace/packages.ts";
import { pnpmCommand } from "../workspace/pnpm.ts";
import { turbo } from "../workspace/turbo.ts";
import { parseReport, type TestReport, total } from "./reports.ts";

export const tiers = ["unit", "system"] as const;
export type Tier = (typeof tiers)[number];
const taskOf = { unit: "test", system: "test:system" };

/** Their system tests take minutes, so they start first, the longest before the others. */
const longest = [
  "apps/docs",
  "apps/server",
  "packages/local-chain",
  "apps/workbench",
  "apps/indexer",
  "packages/postgres-store",
];

/** Runs the unit tests of all packages in one run of turbo, which builds them first and skips what has not changed. */
export async function runUnit(): Promise<TierResult> {
  process.env["RECORDED_DATA"] = recordedData();
  for (const folder of foldersWith("unit")) rmSync(reportPath(folder, "unit"), { force: true });
  const code = await turbo(
    ["test"],
    ["--continue=dependencies-successful", "--output-logs=new-only", "--concurrency=100%", "--summarize=false"],
  );
  return { code, report: collect("unit", code), others: [] };
}

/** The reports of a tier, and the results of the jobs that ran beside it. */
export interface TierResult {
  readonly code: number;
  readonly report: TestReport;
  readonly others: readonly JobResult[];
}

/**
 * Runs the system tests, several packages at a time, and other jobs beside them. Not by turbo, which would start them in the order of dependencies: short ones
 * first. Turbo's hashes tell which packages need no second run.
 */
export async function runSystem(others: readonly Job[] = []): Promise<TierResult> {
  process.env["RECORDED_DATA"] = recordedData();
  const built = await turbo(["build"], ["--output-logs=errors-only", "--summarize=false"]);
  if (built !== 0) return { code: built, report: collect("system", built), others: [] };
  const hashes = hashesOf("test:system");
  const rank = (folder: string) => (longest.includes(folder) ? longest.indexOf(folder) : longest.length);
  const stale = foldersWith("system")
    .filter((folder) => read(hashPath(folder)) !== hashes.get(folder) || !existsSync(reportPath(folder, "system")))
    .sort((one, other) => rank(one) - rank(other));
  for (const folder of stale)
    for (const path of [reportPath(folder, "system"), hashPath(folder)]) rmSync(path, { force: true });
  const jobs: Job[] = stale.map((folder) => ({
    name: folder,
    command: [...pnpmCommand(), "--silent", "--dir", folder, "run", "test:system"],
  }));
  // They wait for processes and timers for a fourth of their time, so one more than there are cores.
  const results = await runJobs([...jobs.slice(0, 3), ...others, ...jobs.slice(3)], availableParallelism() + 1);
  const ofTests = results.filter(({ name }) => stale.includes(name));
  for (const { name, code } of ofTests) if (code === 0) writeFileSync(hashPath(name), hashes.get(name) ?? "");
  const code = ofTests.find((result) => result.code !== 0)?.code ?? 0;
  return { code, report: collect("system", code), others: results.filter((result) => !ofTests.includes(result)) };
}

/** Sums the reports of a tier. A package without one, or a run that failed although all tests passed, counts as one failure. */
function collect(tier: Tier, code: number): TestReport {
  const folders = foldersWith(tier);
  const present = folders.filter((folder) => existsSync(reportPath(folder, tier)));
  const absent = folders.filter((folder) => !present.includes(folder));
  for (const folder of absent) console.error(`${folder}: its ${tier} tests did not run`);
  const sum = total(present.map((folder) => parseReport(readFileSync(reportPath(folder, tier), "utf8"))));
  const failed = sum.failed + absent.length;
  return {
    ...sum,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    files: sum.files.map((file) => ({ ...file, path: relative(root, file.path) })),
  };
}

/** The packages with tests of a tier, as paths from the root. */
function foldersWith(tier: Tier): string[] {
  return workspacePackages(root).flatMap(({ folder, manifest }) => {
    const path = relative(root, folder);
    if (taskOf[tier] in (manifest.scripts ?? {})) return [path];
    const pattern = tier === "system" ? "test/**/*.system.test.ts" : "test/**/!(*.system).test.ts";
    const [orphan] = globSync(pattern, { cwd: folder });
    if (orphan !== undefined) throw new Error(`${path}: package.json has no script ${taskOf[tier]} to run ${orphan}`);
    return [];
  });
}

function reportPath(folder: string, tier: Tier): string {
  return join(root, folder, `.reports/${tier}.json`);
}

function hashPath(folder: string): string {
  return join(root, folder, ".reports/system.hash");
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Turbo's hash of a task's inputs, by package folder. */
function hashesOf(task: string): Map<string, string> {
  const plan = execFileSync(join(root, "node_modules/.bin/turbo"), ["run", task, "--dry=json"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" },
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const { tasks }: { tasks: readonly { task: string; directory: string; hash: string }[] } = JSON.parse(plan);
  return new Map(tasks.filter((each) => each.task === task).map(({ directory, hash }) => [directory, hash]));
}

/** Turbo sees files of the workspace only: this makes the tests run again when data beside the checkout changes. */
function recordedData(): string {
  const folder = join(root, "../shared");
  const files = globSync("{recorded,bocs,lite}/**/*.*", { cwd: folder }).sort();
  return files.map((file) => `${file}:${statSync(join(folder, file)).mtimeMs}`).join();
}
