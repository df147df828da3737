import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { progressOn } from "../../src/command/progress.ts";
import { judgeBody } from "../../src/index.ts";
import { bodiesText } from "../../src/report/text.ts";
import { blockId, limited } from "../body/sample-bodies.ts";

const files = [
  { file: "errors/1.json", operation: "errors", ...judgeBody("errors", limited()) },
  { file: "lookupBlock/1.json", operation: "lookupBlock", ...judgeBody("lookupBlock", blockId()) },
];
const report = { files, skipped: [], knownDeviations: [], totals: { bodies: 2, conform: 1, known: 1, unexplained: 0 } };

test("colours add nothing but escape sequences", () => {
  const colored = bodiesText(report, { colored: true });
  expect(colored).toContain("\u001b[32mconforms\u001b[39m");
  expect(stripVTControlCharacters(colored)).toBe(bodiesText(report, { colored: false }));
});

test("the progress is shown on a terminal of width 0", () => {
  const written: string[] = [];
  const write = (text: unknown): boolean => written.push(String(text)) > 0;
  progressOn({ isTTY: true, columns: 0, write }).show({ check: "live/limit", done: 1, total: 2, failed: 0 });
  expect(written.at(-1)).toBe("1/2  live/limit");
});
