import { describe, expect, test } from "vitest";
import type { LiteStep, LiteStepBlock } from "../../src/sources/lite-step.ts";
import { addQueueSizes, type QueueSizes } from "../../src/sources/queue-sizes.ts";
import { block, id, LEFT, MASTER, RIGHT, WHOLE } from "./step-blocks.ts";

function step(...shards: LiteStepBlock[]): LiteStep {
  return { masterchain: block(id(MASTER, 8), [id(MASTER, 7)], 0), shards, accounts: [] };
}

const MASTER_SIZE = ["-1:8000000000000000:7", 2] as const;

async function sizesOf(of: LiteStep, before: QueueSizes, proved?: QueueSizes): Promise<number[]> {
  const { step: done, sizes } = await addQueueSizes(of, before, async () => proved ?? expect.fail("a proof was asked for"));
  const newest = new Map(done.shards.map(({ id: { shard }, queueSize }) => [shard, queueSize]));
  expect([...sizes.values()].sort()).toEqual([...newest.values(), done.masterchain.queueSize].sort());
  return [...done.shards, done.masterchain].map(({ queueSize }) => queueSize);
}

describe("the sizes of queues", () => {
  test("follow from the size before, block by block", async () => {
    const before = new Map([["0:8000000000000000:4", 10], MASTER_SIZE]);
    const blocks = step(block(id(WHOLE, 5), [id(WHOLE, 4)], 3), block(id(WHOLE, 6), [id(WHOLE, 5)], -7));
    expect(await sizesOf(blocks, before)).toEqual([13, 6, 2]);
  });

  test("begin with 0 after the zero state", async () => {
    expect(await sizesOf(step(block(id(WHOLE, 1), [id(WHOLE, 0)], 3)), new Map([MASTER_SIZE]))).toEqual([3, 2]);
  });

  test("are added by a merge", async () => {
    const before = new Map([["0:4000000000000000:4", 10], ["0:c000000000000000:9", 5], MASTER_SIZE]);
    expect(await sizesOf(step(block(id(WHOLE, 10), [id(LEFT, 4), id(RIGHT, 9)], -1)), before)).toEqual([14, 2]);
  });

  test("are read with their proofs after a split", async () => {
    const before = new Map([["0:8000000000000000:4", 10], MASTER_SIZE]);
    const proved = new Map([
      ["0:4000000000000000:6", 6],
      ["0:c000000000000000:5", 5],
    ]);
    const left = [block(id(LEFT, 5), [id(WHOLE, 4)], 1), block(id(LEFT, 6), [id(LEFT, 5)], 2)];
    const blocks = step(...left, block(id(RIGHT, 5), [id(WHOLE, 4)], 0));
    expect(await sizesOf(blocks, before, proved)).toEqual([4, 6, 5, 2]);
    await expect(sizesOf(blocks, before, new Map())).rejects.toThrow(
      "the size of the queue after block 0:4000000000000000:6 is not known",
    );
  });
});
