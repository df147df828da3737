import { readFileSync } from "node:fs";
import { decisions } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { root } from "./contract.ts";

const text = readFileSync(new URL("DECISIONS.md", root), "utf8");
const entries = text
  .split(/^## /m)
  .slice(1)
  .map((entry) => ({
    number: entry.slice(0, 4),
    title: entry.split("\n")[0]?.slice(5) ?? "",
    lines: entry.trim().split("\n"),
  }));
const numbers = entries.map(({ number }) => number);

describe("DECISIONS.md", () => {
  test("numbers its decisions without a gap", () => {
    expect(numbers).toEqual(numbers.map((_, index) => `D-${String(index + 1).padStart(2, "0")}`));
    expect(numbers.length).toBeGreaterThan(0);
  });

  test("has no heading of another form", () => {
    expect(text.match(/^#+ .*$/gm)).toEqual(["# Decisions", ...entries.map(({ number, title }) => `## ${number} ${title}`)]);
  });

  test("gives each decision a title of its own", () => {
    const titles = entries.map(({ title }) => title);
    expect(titles).not.toContain("");
    expect(new Set(titles).size).toBe(titles.length);
  });

  test.each(entries)("$number has a date, the gap of the document, the choice and the reason", ({ lines }) => {
    const [, , date, document, chose, why, ...others] = lines;
    expect(date).toMatch(/^- Date: 20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/);
    expect(document).toMatch(/^- The document: [A-Z].*\.$/);
    expect(chose).toMatch(/^- We chose: .+\.$/);
    expect(why).toMatch(/^- Why: [A-Z0-9].*\.$/);
    expect(others).toEqual([]);
  });
});

test("x-decision occurs in the contract for every decision, and for no other", () => {
  // The build refuses a number that DECISIONS.md does not have.
  expect(decisions.filter(({ places }) => places.length > 0).map(({ id }) => id)).toEqual(numbers);
});
