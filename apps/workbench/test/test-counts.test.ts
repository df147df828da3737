import { describe, expect, test } from "vitest";
import { count, countsOf, total } from "../src/test-counts.ts";

const report = (passed: number, failed: number, brokenFiles = 0) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numFailedTestSuites: brokenFiles,
    success: failed + brokenFiles === 0,
  });

describe("countsOf", () => {
  test("counts what passed and what failed", () => {
    expect(countsOf(report(7, 2))).toEqual({ passed: 7, failed: 2 });
  });

  test("counts a file that could not be loaded as a failure", () => {
    expect(countsOf(report(7, 0, 1))).toEqual({ passed: 7, failed: 1 });
  });

  test("counts a run that ended badly for another reason as a failure", () => {
    const odd = JSON.stringify({ numPassedTests: 3, numFailedTests: 0, numFailedTestSuites: 0, success: false });
    expect(countsOf(odd)).toEqual({ passed: 3, failed: 1 });
  });

  test("refuses a report that does not count", () => {
    expect(() => countsOf("{}")).toThrow("a test report without numPassedTests");
  });
});

describe("total", () => {
  test("adds up the packages for the closing line", () => {
    const { passed, failed } = total([countsOf(report(1, 0)), countsOf(report(2, 3))]);
    expect(count(passed, failed)).toBe("3 passed, 3 failed");
  });
});
