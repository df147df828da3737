import { expect, test } from "vitest";
import { ByteCache } from "../../src/pool/byte-cache.ts";

test("drops the values that were not used for the longest time", () => {
  const cache = new ByteCache<string>(20);
  for (const key of "abcdefghij") cache.set(key, key.toUpperCase(), 2);
  expect(cache.get("a")).toBe("A");
  cache.set("k", "K", 2);
  expect([cache.get("a"), cache.get("b"), cache.get("k"), cache.bytes]).toEqual(["A", undefined, "K", 20]);
});

test("counts a replaced value once, and does not keep one above a tenth of the limit", () => {
  const cache = new ByteCache<string>(100);
  cache.set("a", "A", 4);
  cache.set("a", "B", 6);
  expect([cache.get("a"), cache.bytes]).toEqual(["B", 6]);
  cache.set("a", "C", 11);
  expect([cache.get("a"), cache.bytes]).toEqual([undefined, 0]);
});
