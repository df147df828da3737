import { describe, expect, test } from "vitest";
import { commandFor, refuseSkips, summary } from "../../src/test/reporter.ts";

const none = { passed: 0, failures: [], skips: [], files: [] };

test("refuseSkips counts a skipped test as failed, unless it names data or a program that CI may lack", () => {
  const allowed = [
    { path: "a.test.ts", name: "reads blocks", reason: "skipped: no recorded data in ../shared/bocs" },
    { path: "b.system.test.ts", name: "in Go print what is documented (skipped: no go)" },
  ];
  const refused = { path: "c.system.test.ts", name: "shares limits", reason: "no redis-server" };
  const skipped = { ...none, passed: 7, skips: [...allowed, refused] };
  expect(refuseSkips(skipped)).toEqual({ ...skipped, skips: allowed, failures: [refused] });
});

describe("commandFor", () => {
  test.for([
    [{ path: "a/test/b.test.ts" }, "pnpm test:unit a/test/b.test.ts"],
    [{ path: "b.system.test.ts", name: "b > adds (1 + 1)" }, "pnpm test:system b.system.test.ts -t '^b > adds \\(1 \\+ 1\\)$'"],
    [{ path: "b.long.test.ts", name: "isn't" }, "pnpm test:long b.long.test.ts -t '^isn'\\''t$'"],
    [{ path: "audit" }, undefined],
  ] as const)("of %j is %s", ([failed, command]) => {
    expect(commandFor(failed)).toBe(command);
  });
});

describe("summary", () => {
  test("lists the ten slowest files, slowest first, and ends with the cost and the counts", () => {
    const files = Array.from({ length: 12 }, (_, index) => ({ path: `${index}.test.ts`, seconds: index }));
    const lines = summary({ ...none, passed: 3, files }, 65);
    expect(lines).toHaveLength(1 + 10 + 2);
    expect(lines.slice(0, 2)).toEqual(["Slowest test files:", "   11.0 s  11.test.ts"]);
    expect(lines.at(-2)).toMatch(/^1 min 5 s wall time(, .*\d s CPU time)?$/);
    expect(lines.at(-1)).toBe("3 passed, 0 failed");
  });

  test("lists skipped tests with the reason, and failed ones with the command that runs each alone", () => {
    const skips = [
      { path: "a.test.ts", name: "a > adds", reason: "no server" },
      { path: "a.test.ts", name: "waits" },
    ];
    const failures = [{ path: "b.test.ts", name: "b > adds" }, { path: "c.system.test.ts" }];
    expect(summary({ ...none, passed: 4, skips, failures }, 65)).toEqual([
      "Skipped tests:",
      "  a.test.ts > a > adds: no server",
      "  a.test.ts > waits",
      "Failed tests:",
      "  b.test.ts > b > adds",
      "    pnpm test:unit b.test.ts -t '^b > adds$'",
      "  c.system.test.ts",
      "    pnpm test:system c.system.test.ts",
      expect.stringContaining("1 min 5 s wall time"),
      "4 passed, 2 failed, 2 skipped",
    ]);
  });
});
