import { chainSteps } from "@chain-query/local-chain";
import { UNEVEN } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { expectStepsOfChain, serveChain, stepsFrom } from "./served-chain.ts";

test("steps with none to three blocks of a shard equal those of the chain, while shards split and merge", async () => {
  const served = await serveChain(UNEVEN);
  const steps = await expectStepsOfChain(served, { from: 1, to: 9 });
  // Also of shards without a block in the step.
  const [local, lite] = [chainSteps(served.directory), stepsFrom(served.server)];
  for (let step = 0; step <= UNEVEN.steps; step++) expect(await lite.tips(step)).toEqual(await local.tips(step));
  await Promise.all([local.close(), lite.close()]);
  await served.close();
  const blocks = steps.map(({ shards }) => Map.groupBy(shards, ({ id }) => id.shard));
  expect(Math.max(...blocks.flatMap((shards) => Array.from(shards.values(), ({ length }) => length)))).toBe(3);
  expect(blocks.some((shards) => shards.size === 0)).toBe(true);
});
