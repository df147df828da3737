/** Counts of test reports, as vitest writes them in JSON. */

/** How many tests passed and how many did not. */
export interface Counts {
  passed: number;
  failed: number;
}

/** Reads one report. A file that could not even be loaded counts as one failed test. */
export function countsOf(report: string): Counts {
  const parsed: unknown = JSON.parse(report);
  const passed = numberIn(parsed, "numPassedTests");
  const failed = numberIn(parsed, "numFailedTests");
  const brokenFiles = numberIn(parsed, "numFailedTestSuites") > 0 && failed === 0 ? 1 : 0;
  const success = typeof parsed === "object" && parsed !== null && "success" in parsed && parsed.success === true;
  const failures = failed + brokenFiles;
  return { passed, failed: failures === 0 && !success ? 1 : failures };
}

/** Adds counts up. */
export function total(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}

/** The closing line of a test run. */
export function count(passed: number, failed: number): string {
  return `${passed} passed, ${failed} failed`;
}

function numberIn(report: unknown, member: string): number {
  const value =
    typeof report === "object" && report !== null ? Object.entries(report).find(([name]) => name === member)?.[1] : 0;
  if (typeof value !== "number") throw new Error(`a test report without ${member}`);
  return value;
}
