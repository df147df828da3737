import type { AccountBase } from "@chain-query/postgres-store";
import { expect, test } from "vitest";
import { shareAccounts } from "../../src/sources/earlier-history.ts";

const account = { workchain: 0, hash: new Uint8Array(32) };

/** Claims that the test grants or refuses, the releases, and the warnings. */
function sharing() {
  const claims: PromiseWithResolvers<string | undefined>[] = [];
  const released: string[] = [];
  const reasons: unknown[] = [];
  const base: Omit<AccountBase, "close"> = {
    claim: () => {
      const claim = Promise.withResolvers<string | undefined>();
      claims.push(claim);
      return claim.promise;
    },
    release: async (_account, claim) => void released.push(claim),
    keep: async () => true,
  };
  const shared = shareAccounts(base, { warn: (values: object) => void reasons.push(values) });
  return { shared, claims, released, reasons };
}

test("a caller that leaves does not end the sharing of accounts, and its late claim is released", async () => {
  const { shared, claims, released, reasons } = sharing();
  const caller = new AbortController();
  const left = shared.claim(account, caller.signal);
  caller.abort(new Error("the caller has closed the connection"));
  await expect(left).rejects.toThrow("the caller has closed the connection");
  claims[0]?.resolve("late");
  await expect.poll(() => released).toEqual(["late"]);
  const next = shared.claim(account, new AbortController().signal);
  claims[1]?.resolve("next");
  expect([await next, reasons]).toEqual(["next", []]);
});

test("a refusal of the database pauses the sharing, also after the caller has left", async () => {
  const { shared, claims, reasons } = sharing();
  const caller = new AbortController();
  const left = shared.claim(account, caller.signal);
  caller.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  claims[0]?.reject(new Error("permission denied"));
  await expect.poll(() => reasons).toEqual([{ reason: "permission denied" }]);
  expect(await shared.claim(account, new AbortController().signal)).toBeUndefined();
  expect(claims).toHaveLength(1);
});
