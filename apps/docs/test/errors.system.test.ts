import * as client from "@chain-query/client";
import { operations } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { exportPaths, readClient } from "../src/client/pages.ts";
import { advice, errorsPage } from "../src/pages/errors.ts";
import { guidePaths } from "../src/pages/guides.ts";
import { defaultOptions, defaultSiteUrl } from "../src/site/options.ts";

const entries = readClient();
const { page, rendered } = await errorsPage(entries, {
  decisions: ["D-45"],
  guides: guidePaths(defaultOptions.guides),
  exports: exportPaths(entries),
});
const text = page.markdown ?? "";
const ids = rendered.headings.map(({ id }) => id);
/** The text of an entry. */
const entry = (heading: string): string => text.split(/^### /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";

const classes = Object.entries<unknown>({ ...client }).flatMap(([name, value]) =>
  typeof value === "function" && value.prototype instanceof Error ? [{ name, Class: value }] : [],
);

describe("error catalogue", () => {
  test.for(classes)("has the place to which a $name links, with advice", ({ name, Class }) => {
    const error: unknown = Reflect.construct(Class, ["went wrong", { operation: "lookupBlock", attempts: 1 }]);
    const code = String(Reflect.get(Object(error), "code"));
    expect(Reflect.get(Object(error), "docs")).toBe(`${defaultSiteUrl}${page.path}#${code}`);
    expect(ids).toContain(code);
    expect(entry(code)).toContain(`[\`${name}\`](client/api.md#${name.toLowerCase()})`);
    expect(advice[code]).toMatch(/\.$/);
  });

  test("has no advice for codes that do not exist", () => {
    expect(classes.length).toBeGreaterThan(10);
    expect(Object.keys(advice).filter((code) => !ids.includes(code))).toEqual([]);
  });

  test("has each status of the contract with its texts, and the code that it has in the client", () => {
    const responses = operations.flatMap((operation) => operation.responses).filter(({ status }) => Number(status) >= 400);
    expect(responses.length).toBeGreaterThan(0);
    for (const { status, description, examples } of responses) {
      expect(ids).toContain(status);
      expect(entry(status)).toContain(description);
      for (const { value } of Object.values(examples ?? {}))
        expect(entry(status)).toContain(Reflect.get(Object(value), "error"));
    }
    const codes = ["401", "403", "404", "422", "429", "500", "504"].map((status) => /\[`([A-Z_]+)`\]/.exec(entry(status))?.[1]);
    const expected = ["AUTHENTICATION", "AUTHENTICATION", "NOT_FOUND", "BAD_REQUEST", "RATE_LIMIT", "SERVER", "SERVER"];
    expect(codes).toEqual(expected);
    const retried = ["401", "404", "422", "429", "500", "504"].map((status) => entry(status).includes("after retries"));
    expect(retried).toEqual([false, false, false, true, false, true]);
  });

  test("has no broken names", () => {
    expect(rendered.problems).toEqual([]);
  });
});
