import { expect, test } from "vitest";
import { ByteCache } from "../src/byte-cache.ts";

test("drops the values that were not used for the longest time", () => {
  const cache = new ByteCache<string>(10);
  cache.set("a", "A", 4);
  cache.set("b", "B", 4);
  expect(cache.get("a")).toBe("A");
  cache.set("c", "C", 4);
  expect([cache.get("a"), cache.get("b"), cache.get("c"), cache.size]).toEqual(["A", undefined, "C", 8]);
});

test("counts a replaced value once, and does not keep one above the limit", () => {
  const cache = new ByteCache<string>(10);
  cache.set("a", "A", 4);
  cache.set("a", "B", 6);
  expect([cache.get("a"), cache.size]).toEqual(["B", 6]);
  cache.set("a", "C", 11);
  expect([cache.get("a"), cache.size]).toEqual([undefined, 0]);
});
