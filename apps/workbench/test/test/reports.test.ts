import { describe, expect, test } from "vitest";
import { closingLine, countsIn, parseReport, summary, total } from "../../src/test/reports.ts";

const report = (counts: Record<string, unknown>) =>
  JSON.stringify({
    success: true,
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
    ...counts,
  });

const file = (name: string, seconds: number, ...statuses: string[]) => ({
  name,
  startTime: 1000,
  endTime: 1000 + 1000 * seconds,
  assertionResults: statuses.map((status) => ({ status })),
});

describe("parseReport", () => {
  test("counts passed, failed and skipped tests", () => {
    const json = report({ numPassedTests: 7, numFailedTests: 2, numPendingTests: 3, numTodoTests: 1, success: false });
    expect(parseReport(json)).toEqual({ passed: 7, failed: 2, skipped: 4, files: [] });
  });

  test("counts a failed run without a failed test as one failure", () => {
    expect(parseReport(report({ numPassedTests: 3, success: false }))).toMatchObject({ passed: 3, failed: 1 });
  });

  test("refuses JSON that is not a report", () => {
    expect(() => parseReport("{}")).toThrow("not a report of vitest: it has no numPassedTests");
  });
});

describe("countsIn", () => {
  test("reads the closing line of a command", () => {
    expect(countsIn({ code: 0, output: "ok a\n7 passed, 0 failed\n" })).toMatchObject({ passed: 7, failed: 0, skipped: 0 });
    expect(countsIn({ code: 1, output: "7 passed, 2 failed, 3 skipped\n" })).toMatchObject({
      passed: 7,
      failed: 2,
      skipped: 3,
    });
  });

  test("counts a failed command as a failure", () => {
    expect(countsIn({ code: 1, output: "7 passed, 0 failed\n" })).toMatchObject({ passed: 7, failed: 1 });
    expect(countsIn({ code: 2, output: "" })).toMatchObject({ passed: 0, failed: 1 });
    expect(countsIn({ code: 0, output: "" })).toMatchObject({ passed: 0, failed: 0 });
  });
});

describe("total", () => {
  test("adds up reports for the closing line", () => {
    const all = total([
      parseReport(report({ numPassedTests: 1 })),
      parseReport(report({ numPassedTests: 2, numFailedTests: 3 })),
    ]);
    expect(closingLine(all)).toBe("3 passed, 3 failed");
    expect(closingLine({ ...all, skipped: 2 })).toBe("3 passed, 3 failed, 2 skipped");
  });
});

describe("summary", () => {
  test("lists the ten slowest files, slowest first", () => {
    const files = Array.from({ length: 12 }, (_, index) => file(`${index}.test.ts`, index, "passed"));
    const lines = summary(parseReport(report({ testResults: files })));
    expect(lines).toHaveLength(11);
    expect(lines.slice(0, 2)).toEqual(["Slowest test files:", "   11.0 s  11.test.ts"]);
  });

  test("lists files with skipped tests", () => {
    const lines = summary(parseReport(report({ testResults: [file("a.test.ts", 1, "skipped", "passed", "todo")] })));
    expect(lines.slice(0, 2)).toEqual(["Skipped tests:", "  2 skipped  a.test.ts"]);
  });
});
