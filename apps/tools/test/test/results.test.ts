import { describe, expect, test } from "vitest";
import { closingLine, commandFor, countsIn, noResults, refuseSkips, summary, total } from "../../src/test/results.ts";

const cost = expect.stringMatching(/^1 min 5 s wall time(, .*\d s CPU time)?$/);

describe("countsIn", () => {
  const counts = (code: number, output: string) => countsIn({ name: "audit", code, output });

  test("reads the closing line of a command", () => {
    expect(counts(0, "ok a\n7 passed, 0 failed\n")).toEqual({ ...noResults, passed: 7 });
    const failures = [{ path: "audit" }];
    expect(counts(1, "7 passed, 2 failed, 3 skipped\n")).toEqual({ ...noResults, passed: 7, failed: 2, skipped: 3, failures });
  });

  test("counts a failed command as a failure", () => {
    expect(counts(1, "7 passed, 0 failed\n")).toMatchObject({ passed: 7, failed: 1 });
    expect(counts(2, "")).toMatchObject({ passed: 0, failed: 1 });
    expect(counts(0, "")).toMatchObject({ passed: 0, failed: 0 });
  });
});

describe("total", () => {
  test("adds up results for the closing line", () => {
    const failures = [{ path: "a.test.ts", name: "adds" }];
    const all = total([
      { ...noResults, passed: 1 },
      { ...noResults, passed: 2, failed: 1, failures },
    ]);
    expect(all).toEqual({ ...noResults, passed: 3, failed: 1, failures });
    expect(closingLine(all)).toBe("3 passed, 1 failed");
    expect(closingLine({ ...all, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
  });
});

describe("refuseSkips", () => {
  test("counts a skipped test as failed, unless it names data or a program that CI may lack", () => {
    const allowed = [
      { path: "a.test.ts", name: "reads blocks", reason: "skipped: no recorded data in ../shared/bocs" },
      { path: "b.system.test.ts", name: "in Go print what is documented (skipped: no go)" },
    ];
    const refused = { path: "c.system.test.ts", name: "shares limits", reason: "no redis-server" };
    const passed = { ...noResults, passed: 7, skipped: 3, skips: [...allowed, refused] };
    expect(refuseSkips(passed)).toEqual({ ...passed, failed: 1, skipped: 2, failures: [refused] });
  });
});

describe("commandFor", () => {
  test.for([
    [{ path: "a/test/b.test.ts" }, "pnpm test:unit --file a/test/b.test.ts"],
    [
      { path: "b.system.test.ts", name: "b > adds (1 + 1)" },
      "pnpm test:system --file b.system.test.ts --name '^b > adds \\(1 \\+ 1\\)$'",
    ],
    [{ path: "b.long.test.ts", name: "isn't" }, "pnpm test:long --file b.long.test.ts --name '^isn'\\''t$'"],
    [{ path: "audit" }, undefined],
  ] as const)("of %j is %s", ([failed, command]) => {
    expect(commandFor(failed)).toBe(command);
  });
});

describe("summary", () => {
  test("lists the ten slowest files, slowest first, and ends with the cost of the run", () => {
    const files = Array.from({ length: 12 }, (_, index) => ({ path: `${index}.test.ts`, seconds: index }));
    const lines = summary({ ...noResults, files }, 65);
    expect(lines).toHaveLength(1 + 10 + 1);
    expect(lines.slice(0, 2)).toEqual(["Slowest test files:", "   11.0 s  11.test.ts"]);
    expect(lines.at(-1)).toEqual(cost);
  });

  test("lists skipped tests with the reason, and failed ones with the command that runs each alone", () => {
    const skips = [
      { path: "a.test.ts", name: "a > adds", reason: "no server" },
      { path: "a.test.ts", name: "waits" },
    ];
    const failures = [{ path: "b.test.ts", name: "b > adds" }, { path: "c.system.test.ts" }];
    expect(summary({ ...noResults, skips, failures }, 65)).toEqual([
      "Skipped tests:",
      "  a.test.ts > a > adds: no server",
      "  a.test.ts > waits",
      "Failed tests:",
      "  b.test.ts > b > adds",
      "    pnpm test:unit --file b.test.ts --name '^b > adds$'",
      "  c.system.test.ts",
      "    pnpm test:system --file c.system.test.ts",
      cost,
    ]);
  });
});
