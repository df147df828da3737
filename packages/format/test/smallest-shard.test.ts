import fc from "fast-check";
import { expect, test } from "vitest";
import { containsAccount, intersects, smallestShard, smallestWithin } from "../src/identifiers.ts";

test("the smallest shard of an account has 60 bits of its address", () => {
  const hash = new Uint8Array(32).fill(0xff);
  expect(BigInt.asUintN(64, smallestShard({ workchain: 0, hash }).shard).toString(16)).toBe("fffffffffffffff8");
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (address) => {
      const account = { workchain: 0, hash: address };
      expect(containsAccount(smallestShard(account), account)).toBe(true);
    }),
    { seed: 1 },
  );
});

test("the smallest within a shard lies in it", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 61n - 1n }), (prefix) => {
      const shard = { workchain: 0, shard: BigInt.asIntN(64, prefix << 3n) };
      const smallest = smallestWithin(shard);
      expect(intersects(smallest, shard)).toBe(true);
      expect(smallest.shard & 15n).toBe(8n);
    }),
    { seed: 1 },
  );
});
