import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ACCOUNT_BYTES, accountKey, accountOf } from "../src/account-key.ts";

const accounts = fc.record({
  workchain: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

describe("accountKey", () => {
  test("has the account in 36 bytes", () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const key = accountKey(account);
        expect(key.length).toBe(ACCOUNT_BYTES);
        const { workchain, hash } = accountOf(Buffer.concat([key, Buffer.from("and more")]));
        expect([workchain, Uint8Array.from(hash)]).toEqual([account.workchain, account.hash]);
      }),
      { seed: 1 },
    );
  });

  test("orders accounts by signed workchain, then by hash", () => {
    fc.assert(
      fc.property(accounts, accounts, (a, b) => {
        const expected = Math.sign(a.workchain - b.workchain) || Math.sign(Buffer.compare(a.hash, b.hash));
        expect(Math.sign(Buffer.compare(accountKey(a), accountKey(b)))).toBe(expected);
      }),
      { seed: 1 },
    );
  });

  test("refuses a workchain that has no 32 bits", () => {
    for (const workchain of [2 ** 31, -(2 ** 31) - 1, 0.5]) {
      expect(() => accountKey({ workchain, hash: new Uint8Array(32) })).toThrow("expected a signed 32-bit integer");
    }
  });
});
