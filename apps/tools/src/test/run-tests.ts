/** Runs tests of all packages in one vitest, after the builds that they need. */
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestCase, TestModule, TestRunEndReason } from "vitest/node";
import { root } from "../workspace/packages.ts";
import { turbo } from "../workspace/processes.ts";
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
}

/** Builds the packages that the tests need, and runs the tests. */
export async function runTests({ tiers, files = [], name }: Selection): Promise<TestResults> {
  // Unit tests import sources, and of the builds only the bundle of the contract.
  const needsBuild = tiers.some((tier) => tier === "system" || tier === "long");
  const build = needsBuild ? ["build"] : ["bundle"];
  const built = await turbo(build, ["--output-logs=errors-only", "--summarize=false"]);
  if (built !== 0) return { ...noResults, failed: 1, failures: [{ path: "build" }] };
  return runVitest(tiers, files, name);
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
