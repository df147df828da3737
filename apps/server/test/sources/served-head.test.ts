import { type IndexHead, newerTips, type Tips } from "@chain-query/postgres-store";
import { expect, test } from "vitest";

const head = (seqno: number) => ({ block: { id: { seqno } } }) as IndexHead;
const tips = (tip: number, consensus: number): Tips => ({ tip: head(tip), consensus: head(consensus) });

test("tips never go back, and stay the same object while nothing is newer", () => {
  const first = newerTips(undefined, tips(5, 4));
  expect(newerTips(first, tips(3, 3))).toBe(first);
  expect(newerTips(first, tips(4, 5))).toEqual(tips(5, 5));
});
