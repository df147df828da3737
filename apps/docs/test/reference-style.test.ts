import { describe, expect, test } from "vitest";
import { withoutUnusedProperties } from "../src/reference-style.ts";

const kept = (style: string, script = ""): string =>
  withoutUnusedProperties(`<style data-styled="true">${style}</style>`, script).replace(/<\/?style[^>]*>/g, "");

describe("withoutUnusedProperties", () => {
  test("keeps what a rule refers to, and what that refers to", () => {
    expect(kept("a{--b: var(--c);--c: 1px;--d: 2px;}p{top:var(--b)}")).toBe("a{--b: var(--c);--c: 1px;}p{top:var(--b)}");
  });

  test("drops what only the unused refers to", () => {
    expect(kept("a{--b: var(--c);--c: 1px;}")).toBe("a{}");
  });

  test("keeps what the script will refer to, whole or by its beginning", () => {
    const script = `left: var(--b); var(--size-$${"{name}"})`;
    expect(kept("a{--b: 1px;--size-large: 2px;--c: 3px;}", script)).toBe("a{--b: 1px;--size-large: 2px;}");
  });

  test("leaves everything else as it is", () => {
    expect(kept("a:hover{top:1px}@media print{b{left:2px}}")).toBe("a:hover{top:1px}@media print{b{left:2px}}");
  });

  test("fails where there is no such style", () => {
    expect(() => withoutUnusedProperties("<p>", "")).toThrow("Redoc's page no longer contains");
  });
});
