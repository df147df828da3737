import { type Cell, CellBuilder, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import { expect, test } from "vitest";
import { bagsOf, rootOf, rootsOf } from "../../src/verify/bags.ts";
import { checked } from "../../src/verify/proof-error.ts";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const leaf = (value: number): Cell => new CellBuilder().uint(value, 32).cell();

/** A tree of that many different cells, four below each. */
function tree(count: number, from = 0): Cell {
  const builder = new CellBuilder().uint(from, 32);
  for (let [left, branches] = [count - 1, 4], at = from + 1; left > 0; branches--) {
    const size = Math.ceil(left / branches);
    builder.ref(tree(size, at));
    left -= size;
    at += size;
  }
  return builder.cell();
}

test("a bag with more roots or cells than are read is refused as too long", () => {
  const roots = (count: number) => base64(writeBocRoots(Array.from({ length: count }, (_, i) => leaf(i))));
  rootsOf(roots(130));
  expect(() => checked("state", () => rootsOf(roots(131)))).toThrow(expect.objectContaining({ part: "limit" }));
  const cells = (count: number) => base64(writeBoc(tree(count)));
  rootOf(cells(4_096));
  for (const read of [rootOf, rootsOf]) {
    expect(() => checked("state", () => read(cells(4_097)))).toThrow(expect.objectContaining({ part: "limit" }));
  }
});

test("an account may have more cells than a proof", () => {
  const code = tree(10_000);
  const bytes = writeBoc(code);
  expect(bagsOf({ code: base64(bytes) })(code)).toEqual(new Uint8Array(bytes));
});
