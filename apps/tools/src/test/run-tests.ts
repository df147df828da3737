/** Runs tests of all packages in one vitest, after the builds that they need. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestCase, TestModule, TestRunEndReason } from "vitest/node";
import { root, workspacePackages } from "../workspace/packages.ts";
import { ownEnvironment, turbo } from "../workspace/processes.ts";
import { type NamedTest, noResults, type TestResults, total } from "./results.ts";

/** A project of vitest.config.ts. */
export type Tier = "unit" | "types" | "system" | "long";

/** The tests to run. */
export interface Selection {
  readonly tiers: readonly Tier[];
  /** Parts of paths of test files; all if empty. */
  readonly files?: readonly string[];
  /** A regular expression of full names. */
  readonly name?: string | undefined;
  /** Leaves out packages that have not changed since all their tests of this selection passed. */
  readonly skipUnchanged?: boolean;
}

/** Builds the packages that the tests need, and runs the tests. */
export async function runTests({ tiers, files = [], name, skipUnchanged = false }: Selection): Promise<TestResults> {
  // Unit tests import sources, and of the builds only the bundle of the contract.
  const needsBuild = tiers.some((tier) => tier === "system" || tier === "long");
  const build = needsBuild ? ["build"] : ["bundle"];
  const built = await turbo(build, ["--output-logs=errors-only", "--summarize=false"]);
  if (built !== 0) return { ...noResults, failed: 1, failures: [{ path: "build" }] };
  const hashes = skipUnchanged ? hashesOf("test:long") : new Map<string, string>();
  const unchanged = [...hashes].filter(([folder, hash]) => read(hashPath(folder)) === hash).map(([folder]) => folder);
  for (const folder of unchanged) console.log(`${folder}: not changed since its last green run`);
  const changed = [...hashes.keys()].filter((folder) => !unchanged.includes(folder));
  if (skipUnchanged && changed.length === 0) return noResults;
  const results = await runVitest(tiers, skipUnchanged ? changed.map((folder) => `${folder}/`) : files, name);
  for (const folder of changed) {
    // An error outside of any test may be of any package.
    const failed = results.failures.some(({ path }) => path.startsWith(`${folder}/`) || !path.endsWith(".ts"));
    mkdirSync(join(root, folder, ".reports"), { recursive: true });
    if (failed) rmSync(hashPath(folder), { force: true });
    else writeFileSync(hashPath(folder), hashes.get(folder) ?? "");
  }
  return results;
}

async function runVitest(tiers: readonly Tier[], files: readonly string[], name: string | undefined): Promise<TestResults> {
  let results = noResults;
  const collector = {
    onTestCaseResult(test: TestCase) {
      // The default reporter prints it when its file ends, which may be minutes later.
      if (test.result().state === "failed") console.log(`failed: ${pathOf(test.module)} > ${test.fullName}`);
    },
    onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason) {
      results = total(modules.map(resultsOf));
      const unexplained = results.failed === 0 && (errors.length > 0 || reason === "failed");
      if (unexplained) results = { ...results, failed: 1, failures: [{ path: "an error outside of any test, see above" }] };
    },
  };
  // The root's copy, which vitest.config.ts gives to all tests: this package's own may have other peers.
  const path = createRequire(join(root, "package.json")).resolve("vitest/node");
  const { startVitest }: typeof import("vitest/node") = await import(pathToFileURL(path).href);
  const vitest = await startVitest("test", [...files], {
    root,
    run: true,
    project: [...tiers],
    passWithNoTests: true,
    ...(name === undefined ? {} : { testNamePattern: name }),
    reporters: ["default", collector],
  });
  await vitest.close();
  // Set by vitest if tests fail; the caller decides.
  process.exitCode = 0;
  const isWholeTier = files.length === 0 && name === undefined;
  if (isWholeTier && results.files.length === 0)
    return { ...noResults, failed: 1, failures: [{ path: "no test file was found" }] };
  return results;
}

function resultsOf(module: TestModule): TestResults {
  const path = pathOf(module);
  const tests = [...module.children.allTests()];
  const inState = (state: string) => tests.filter((test) => test.result().state === state);
  const named = (test: TestCase): NamedTest => ({ path, name: test.fullName });
  const failures = inState("failed").map(named);
  if (failures.length === 0 && module.state() === "failed") failures.push({ path });
  const skips = inState("skipped").map((test) => {
    const result = test.result();
    const reason = "note" in result ? result.note : undefined;
    return { ...named(test), ...(reason === undefined ? {} : { reason }) };
  });
  return {
    passed: inState("passed").length,
    failed: failures.length,
    skipped: skips.length,
    files: [{ path, seconds: module.diagnostic().duration / 1000 }],
    skips,
    failures,
  };
}

function pathOf(module: TestModule): string {
  return relative(root, module.moduleId);
}

function hashPath(folder: string): string {
  return join(root, folder, ".reports/long.hash");
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Turbo's hash of a task's inputs, for each package with long tests. */
function hashesOf(task: string): Map<string, string> {
  process.env["RECORDED_DATA"] = recordedData();
  const plan = execFileSync(join(root, "node_modules/.bin/turbo"), ["run", task, "--dry=json"], {
    cwd: root,
    encoding: "utf8",
    env: ownEnvironment(),
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const { tasks }: { tasks: readonly { task: string; directory: string; hash: string }[] } = JSON.parse(plan);
  const withTests = workspacePackages(root)
    .map(({ folder }) => relative(root, folder))
    .filter((folder) => globSync("test/**/*.long.test.ts", { cwd: join(root, folder) }).length > 0);
  return new Map(
    tasks.flatMap(({ task: name, directory, hash }) =>
      name === task && withTests.includes(directory) ? [[directory, hash]] : [],
    ),
  );
}

/** Turbo sees files of the workspace only: this makes the tests run again when data beside the checkout changes. */
function recordedData(): string {
  const folder = join(root, "../shared");
  const files = globSync("{recorded,bocs,lite}/**/*.*", { cwd: folder }).sort();
  return files.map((file) => `${file}:${statSync(join(folder, file)).mtimeMs}`).join();
}
