import { globSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { landingPage } from "../src/pages/landing.ts";
import { withoutPreviewNotes } from "../src/pages/markdown-page.ts";
import { codeOf, guideCode } from "./guide-code.ts";

/** In a window of 1280 pixels, a longer line has to be scrolled. */
const maxLength = 74;

const blocks = [...guideCode(), ...codeOf("landing.md", landingPage().markdown ?? "")];

describe("the code of the guides", () => {
  test("fits into the column", () => {
    const long = blocks.flatMap(({ place, code }) =>
      code.split("\n").flatMap((line) => (line.length > maxLength ? [`${place}: ${line}`] : [])),
    );
    expect(long).toEqual([]);
  });

  test("of examples fits into the column", () => {
    const folder = new URL("../../../examples/", import.meta.url);
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
    const long = paths.flatMap((path) =>
      readFileSync(new URL(path, folder), "utf8")
        .split("\n")
        .flatMap((line) => (line.length > maxLength ? [`${path}: ${line}`] : [])),
    );
    expect(long).toEqual([]);
  });

  test("names only accounts of the documented chain", () => {
    const addresses = new Set(blocks.flatMap(({ code }) => code.match(/\bEQ[\w-]{46}/g) ?? []));
    const known = new Set(JSON.stringify(operations.flatMap(({ examples }) => examples)).match(/\bEQ[\w-]{46}/g));
    expect([...addresses].filter((address) => !known.has(address))).toEqual([]);
  });
});

test("guides and READMEs stay short", () => {
  const root = new URL("../../../", import.meta.url);
  const texts = "{.,openapi,examples,{apps,packages}/*}/README.md";
  const paths = [texts, "apps/docs/guides/*.md"].flatMap((pattern) => globSync(pattern, { cwd: fileURLToPath(root) }));
  const words = (path: string): number => readFileSync(new URL(path, root), "utf8").trim().split(/\s+/).length;
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.reduce((sum, path) => sum + words(path), 0)).toBeLessThanOrEqual(45_000);
  expect(words("apps/docs/guides/scale-out.md")).toBeLessThanOrEqual(2_500);
});

test("notes for a preview are not in a released version", () => {
  const text = "# T\n\n<!-- preview -->\n\n> Not published yet.\n\n<!-- /preview -->\n\nText\n";
  expect(withoutPreviewNotes(text, "2.0.0-0")).toBe("# T\n\n\n> Not published yet.\n\n\nText\n");
  expect(withoutPreviewNotes(text, "2.0.0")).toBe("# T\n\n\nText\n");
});

test("each example is a project with a description and pinned major versions", () => {
  const folder = new URL("../../../examples/", import.meta.url);
  const projects = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(projects.length).toBeGreaterThan(5);
  for (const { name } of projects) {
    const manifest = JSON.parse(readFileSync(new URL(`${name}/package.json`, folder), "utf8"));
    expect(manifest).toMatchObject({ name, private: true, type: "module", description: expect.any(String) });
    expect(manifest.dependencies["@chain-query/client"]).toBe("^2.0.0");
    expect(readFileSync(new URL("README.md", folder), "utf8")).toContain(`](${name})`);
  }
});
