import { expect, test } from "vitest";
import { pageStarts } from "../../src/verify/transactions.ts";

test("a start that is kept again is not the first to go", () => {
  const account = { workchain: 0, hash: new Uint8Array(32) };
  const starts = pageStarts(2);
  const found = (lt: bigint) => starts.find(account, lt)?.lt;
  for (const lt of [1n, 2n, 1n, 3n]) starts.keep(account, { lt, hash: new Uint8Array(32) });
  expect([found(1n), found(2n), found(3n)]).toEqual([1n, undefined, 3n]);
  expect(starts.find({ ...account, workchain: -1 }, 1n)).toBeUndefined();
});
