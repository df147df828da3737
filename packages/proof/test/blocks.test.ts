import { expect, test } from "vitest";
import { previousIn } from "../src/blocks.ts";

test("after a merge, the block before in a shard is that in whose place the shard begins", () => {
  const [left, right] = [
    { workchain: 0, shard: 2n ** 62n },
    { workchain: 0, shard: -(2n ** 62n) },
  ] as const;
  const before = (workchain: number, shard: bigint) => previousIn({ workchain, shard }, [left, right]);
  expect([before(0, 2n ** 62n), before(0, 8n)]).toEqual([left, left]);
  expect([before(0, -(2n ** 62n)), before(0, -8n)]).toEqual([right, right]);
  // A whole workchain is read as the address 80…
  expect(before(0, -(2n ** 63n))).toEqual(right);
  expect([before(1, 8n), before(-1, -(2n ** 63n)), before(0, 0n)]).toEqual([undefined, undefined, undefined]);
});
