import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { bundledSize } from "../bench/bundle.ts";
import { ours } from "../bench/subjects.ts";

/** Bytes, minified and gzipped. Lower them when the code gets smaller. */
const budgets: Record<string, number> = {
  "@chain-query/client": 9_000,
  "@chain-query/client/address": 1_500,
};

describe("the size of an entry point", () => {
  test.for(ours)("of $name is within its budget", async ({ name, program }) => {
    const size = await bundledSize(program, fileURLToPath(new URL("../", import.meta.url)));
    expect(size).toBeGreaterThan(1_000);
    expect(size).toBeLessThanOrEqual(budgets[name] ?? 0);
  });
});
