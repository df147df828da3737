import { UNEVEN } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { expectStepsOfChain, serveChain } from "./served-chain.ts";

test("steps with none to three blocks of a shard equal those of the chain, while shards split and merge", async () => {
  const served = await serveChain(UNEVEN);
  const steps = await expectStepsOfChain(served, { from: 1, to: 9 });
  await served.close();
  const blocks = steps.map(({ shards }) => Map.groupBy(shards, ({ id }) => id.shard));
  expect(Math.max(...blocks.flatMap((shards) => Array.from(shards.values(), ({ length }) => length)))).toBe(3);
  expect(blocks.some((shards) => shards.size === 0)).toBe(true);
});
