import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { bundledSize } from "../../bench/clients.ts";
import * as extras from "../../src/extras.ts";

const home = fileURLToPath(new URL("../../", import.meta.url));

/** Bytes of each member alone, minified and gzipped. Lower them when the code gets smaller. */
const budgets: Record<keyof typeof extras, number> = {
  formatNano: 1_050,
  parseNano: 950,
  messageText: 250,
  waitForResult: 2_000,
  trace: 2_000,
  watchHead: 2_000,
  watchAccount: 1_900,
  watchTransactions: 2_850,
  immutableCache: 1_850,
};

describe("the size of ./extras", () => {
  test.for(Object.keys(extras) as (keyof typeof extras)[])("is within its budget for %s", async (name) => {
    const size = await bundledSize(`export { ${name} } from "@chain-query/client/extras";`, home);
    expect(size).toBeLessThanOrEqual(budgets[name]);
  });

  test("is nothing where no member is used", async () => {
    expect(await bundledSize('import "@chain-query/client/extras";', home)).toBe(await bundledSize("", home));
  });
});
