import { expect, test } from "vitest";
import { newer } from "../src/reading/served-head.ts";
import type { IndexHead } from "../src/types.ts";

const head = (seqno: number) => ({ block: { id: { seqno } } }) as IndexHead;

test("a head never goes back, and stays the same object while nothing is newer", () => {
  const first = newer(undefined, head(5));
  expect(newer(first, head(4))).toBe(first);
  expect(newer(first, head(5))).toBe(first);
  expect(newer(first, head(6))).toEqual(head(6));
});
