import { CellBuilder } from "@chain-query/format/cells";
import { expect, test } from "vitest";
import { proofCache } from "../../src/proving/proofs.ts";

test("a cache that is full gives what it has, and begins anew with the next proof", () => {
  const cache = proofCache<number>();
  const [tree, other] = [1, 2].map((value) => new CellBuilder().uint(value, 8).cell());
  let made = 0;
  const read = (key: number, root = tree) => cache(root ?? expect.unreachable(), String(key), () => ++made);
  for (const round of [1, 2]) for (let key = 1; key <= 256; key++) expect(read(key), `round ${round}`).toBe(key);
  expect([read(1, other), read(257), read(1)]).toEqual([257, 258, 259]);
});
