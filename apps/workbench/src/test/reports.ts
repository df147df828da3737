/** Reads the JSON reports that vitest writes, and prints what a test run ends with. */

/** A test file and how long it took. */
export interface TestFile {
  readonly path: string;
  readonly seconds: number;
  readonly skipped: number;
}

/** The counts of one or more reports. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly files: readonly TestFile[];
}

/** The members of vitest's JSON that are read. */
interface VitestReport {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Parses one report. A run that failed without a failed test (a file that does not load) counts as one failed test. */
export function parseReport(json: string): TestReport {
  const report: VitestReport = JSON.parse(json);
  if (typeof report.numPassedTests !== "number") throw new Error("not a report of vitest: it has no numPassedTests");
  const { success, numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report;
  return {
    passed: numPassedTests,
    failed: numFailedTests === 0 && !success ? 1 : numFailedTests,
    skipped: numPendingTests + numTodoTests,
    files: testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      path: name,
      seconds: (endTime - startTime) / 1000,
      skipped: assertionResults.filter(({ status }) => status !== "passed" && status !== "failed").length,
    })),
  };
}

/** Reads the closing line in the output of a command. A failed command counts as one failure at least. */
export function countsIn({ code, output }: { readonly code: number; readonly output: string }): TestReport {
  const [, passed, failed, skipped] = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output) ?? [];
  const counted = Number(failed ?? 0);
  return {
    passed: Number(passed ?? 0),
    failed: code !== 0 && counted === 0 ? 1 : counted,
    skipped: Number(skipped ?? 0),
    files: [],
  };
}

/** Adds reports up. */
export function total(reports: readonly TestReport[]): TestReport {
  const sum = (of: (report: TestReport) => number) => reports.reduce((all, report) => all + of(report), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    files: reports.flatMap(({ files }) => files),
  };
}

/** Names the files with skipped tests and the ten slowest files. */
export function summary({ files }: TestReport): string[] {
  const skipped = files.filter((file) => file.skipped > 0).map((file) => `  ${file.skipped} skipped  ${file.path}`);
  const slowest = [...files]
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
  return [...(skipped.length > 0 ? ["Skipped tests:", ...skipped] : []), "Slowest test files:", ...slowest];
}

/** The last line of a test run, which `.ci/run` adds up. */
export function closingLine({ passed, failed, skipped }: Pick<TestReport, "passed" | "failed" | "skipped">): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
