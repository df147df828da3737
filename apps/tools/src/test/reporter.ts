/** Vitest's reporter: names failed tests at once, with the command that runs each alone, and ends with slow files, cost and counts. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from "vitest/node";
import { root } from "../workspace/packages.ts";

/** A skipped test and the reason, a failed one, or a file that failed as a whole. */
export interface NamedTest {
  readonly path: string;
  /** Of the test and its suites, separated by " > ". Absent for a whole file. */
  readonly name?: string;
  readonly reason?: string | undefined;
}

/** The results of a run. */
export interface TestResults {
  readonly passed: number;
  readonly failures: readonly NamedTest[];
  readonly skips: readonly NamedTest[];
  readonly files: readonly { readonly path: string; readonly seconds: number }[];
}

/** What a machine of CI may lack. Other skips are failures there: a test that never runs protects nothing. */
const MAY_BE_ABSENT = /no recorded data|no go\b/;

export default class implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestCaseResult(test: TestCase): void {
    // The default reporter prints it when its file ends, which may be minutes later.
    if (test.result().state === "failed") console.log(`failed: ${pathOf(test.module)} > ${test.fullName}`);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const found = resultsOf(modules);
    const isNamed = this.#vitest?.config.testNamePattern !== undefined;
    const explained = found.failures.length > 0 || (errors.length === 0 && reason !== "failed");
    const failures: NamedTest[] = explained ? [] : [{ path: "an error outside of any test, see above" }];
    // Tests with other names count as skipped.
    if (isNamed && found.passed + found.failures.length === 0) failures.push({ path: "no test with such a name" });
    const all = { ...found, failures: [...found.failures, ...failures] };
    const results = process.env["CHAIN_QUERY_REFUSE_SKIPS"] && !isNamed ? refuseSkips(all) : all;
    if (results.failures.length > 0) process.exitCode = 1;
    // The workers have ended then, and their CPU time counts.
    process.once("exit", () => console.log(summary(results, process.uptime()).join("\n")));
  }
}

function resultsOf(modules: readonly TestModule[]): TestResults {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state);
  const named = (test: TestCase): NamedTest => {
    const result = test.result();
    return { path: pathOf(test.module), name: test.fullName, reason: "note" in result ? result.note : undefined };
  };
  const failures = inState("failed").map(named);
  const failedFiles = modules.map((module) => ({ path: pathOf(module), failed: module.state() === "failed" }));
  const unexplained = failedFiles.filter(({ path, failed }) => failed && failures.every((test) => test.path !== path));
  return {
    passed: inState("passed").length,
    failures: [...failures, ...unexplained.map(({ path }) => ({ path }))],
    skips: inState("skipped").map(named),
    files: modules.map((module) => ({ path: pathOf(module), seconds: module.diagnostic().duration / 1000 })),
  };
}

function pathOf(module: TestModule): string {
  return relative(root, module.moduleId);
}

/** Counts skipped tests as failed ones, unless they name something that CI may lack. */
export function refuseSkips(results: TestResults): TestResults {
  const mayBeAbsent = ({ name, reason }: NamedTest) => MAY_BE_ABSENT.test(`${name} ${reason}`);
  const refused = results.skips.filter((skip) => !mayBeAbsent(skip));
  return { ...results, skips: results.skips.filter(mayBeAbsent), failures: [...results.failures, ...refused] };
}

/** The command that runs one test, or one file, alone; undefined if the path is no test file. */
export function commandFor({ path, name }: NamedTest): string | undefined {
  if (!path.endsWith(".ts")) return undefined;
  const tier = /\.(system|long)\.test\.ts$/.exec(path)?.[1] ?? "unit";
  const pattern = name?.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const filter = pattern === undefined ? "" : ` -t '^${pattern.replaceAll("'", "'\\''")}$'`;
  return `pnpm test:${tier} ${path}${filter}`;
}

/** The lines after a run. `.ci/run` reads the last one. */
export function summary({ passed, files, skips, failures }: TestResults, seconds: number): string[] {
  const lineOf = ({ path, name, reason }: NamedTest) =>
    `  ${[path, name].filter(Boolean).join(" > ")}${reason === undefined ? "" : `: ${reason}`}`;
  const failed = failures.flatMap((test) => [lineOf(test), ...[commandFor(test) ?? []].flat().map((line) => `    ${line}`)]);
  const slowest = files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map((file) => `${file.seconds.toFixed(1).padStart(7)} s  ${file.path}`);
  const cpu = cpuSeconds();
  return [
    ...(skips.length > 0 ? ["Skipped tests:", ...skips.map(lineOf)] : []),
    ...(slowest.length > 0 ? ["Slowest test files:", ...slowest] : []),
    ...(failed.length > 0 ? ["Failed tests:", ...failed] : []),
    `${clock(seconds)} wall time${cpu === undefined ? "" : `, ${clock(cpu)} CPU time`}`,
    `${passed} passed, ${failures.length} failed${skips.length > 0 ? `, ${skips.length} skipped` : ""}`,
  ];
}

/** `1 min 5 s`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** CPU seconds of this process and of those that it waited for; undefined on systems other than Linux. */
function cpuSeconds(): number | undefined {
  try {
    // proc_pid_stat(5): the fields after the name of the program, from the third one on. Ticks are hundredths of a second.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return undefined;
  }
}
