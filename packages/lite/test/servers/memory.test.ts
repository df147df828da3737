import { type Cell, CellBuilder, readBoc, writeBoc } from "@chain-query/format/cells";
import { expect, test } from "vitest";
import { memoryOf } from "../../src/servers/pool.ts";

/** A tree of the smallest cells, as it is read from an answer, and the bytes of the answer. */
function smallCells(leaves: number): { readonly cell: Cell; readonly bytes: number } {
  let layer: Cell[] = Array.from({ length: leaves }, (_, i) => new CellBuilder().uint(i, 24).cell());
  while (layer.length > 1) {
    const above: Cell[] = [];
    for (let i = 0; i < layer.length; i += 4) {
      const builder = new CellBuilder();
      for (const cell of layer.slice(i, i + 4)) builder.ref(cell);
      above.push(builder.cell());
    }
    layer = above;
  }
  const boc = writeBoc(layer[0] as Cell);
  return { cell: readBoc(boc), bytes: boc.length };
}

test("small cells count with their memory, not with their bytes in the answer", () => {
  const { cell, bytes } = smallCells(12_000);
  expect(bytes).toBeLessThan(120_000);
  const counted = memoryOf({ account: { data: cell } }, Number.POSITIVE_INFINITY);
  // Of 16,000 cells Node.js 24 takes 9.4 MB.
  expect(counted).toBeGreaterThan(8_000_000);
  expect(counted).toBeLessThan(11_000_000);
});

test("counting ends soon after the limit", () => {
  const { cell } = smallCells(1_000);
  expect(memoryOf(cell, 10_000)).toBeLessThan(11_000);
});

test("a view counts its whole buffer, and shared parts count once", () => {
  const answer = new Uint8Array(5_000);
  const one = memoryOf([answer.subarray(0, 32)], 1e9);
  expect(one).toBeGreaterThan(5_000);
  expect(memoryOf([answer.subarray(0, 32), answer.subarray(32, 64)], 1e9)).toBeLessThan(one + 300);
});
