import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./contract.ts";
import { notShown, observed, type Silence, unspoken } from "./silences.ts";

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

  test("holds no heading of another form", () => {
    expect(text.match(/^#+ .*$/gm)).toEqual(["# Decisions", ...entries.map(({ number, title }) => `## ${number} ${title}`)]);
  });

  test("gives each decision a title of its own", () => {
    const titles = entries.map(({ title }) => title);
    expect(titles).not.toContain("");
    expect(new Set(titles).size).toBe(titles.length);
  });

  test.each(entries)("$number says when, what the document says, what we chose and why", ({ lines }) => {
    const [, , date, document, chose, why, ...others] = lines;
    expect(date).toMatch(/^- Date: 20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/);
    expect(document).toMatch(/^- The document: [A-Z].*\.$/);
    expect(chose).toMatch(/^- We chose: .+\.$/);
    expect(why).toMatch(/^- Why: [A-Z0-9].*\.$/);
    expect(others).toEqual([]);
  });
});

describe("x-decision", () => {
  test("stands in the contract for every decision, and for no other", () => {
    expect([...new Set(sourceFiles().flatMap(decisionsIn))].toSorted()).toEqual(numbers);
  });
});

describe("a silence of the document", () => {
  const all: Silence[] = [...notShown, ...unspoken, ...observed];

  test.each(all)("is settled: $silence", ({ decision }) => {
    expect(numbers).toContain(decision);
  });

  test("is described once", () => {
    expect(new Set(all.map(({ silence }) => silence)).size).toBe(all.length);
  });

  test("is behind every decision", () => {
    expect([...new Set(all.map(({ decision }) => decision))].toSorted()).toEqual(numbers);
  });
});

function sourceFiles(): string[] {
  const files = ["paths", "components"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  return ["openapi.yaml", ...files.filter((file) => file.endsWith(".yaml"))];
}

/** Every value of an `x-decision` in a file, including misspelt ones. */
function decisionsIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "x-decision") found.push(String(value));
      else visit(value);
    }
  };
  visit(parse(readFileSync(new URL(file, root), "utf8")));
  return found;
}
