import type { BlockId } from "@chain-query/chain-store";
import { blockName } from "@chain-query/format/identifiers";
import { expect, test } from "vitest";
import { type LiteStepBlock, newShardBlocks } from "../../src/sources/lite-step.ts";
import { block, id, LEFT, RIGHT, WHOLE } from "./step-blocks.ts";

/** The names of the blocks of a step, and of those that were read. */
async function namesOf(tops: readonly BlockId[], former: readonly BlockId[], blocks: readonly LiteStepBlock[]) {
  const read: string[] = [];
  const found = await newShardBlocks(tops, former, async (asked) => {
    read.push(blockName(asked));
    return blocks.find((one) => blockName(one.id) === blockName(asked)) ?? expect.fail(`${blockName(asked)} is not needed`);
  });
  expect(read.toSorted()).toEqual(found.map((one) => blockName(one.id)).toSorted());
  return found.map((one) => blockName(one.id));
}

const [L, R, W] = ["0:4000000000000000", "0:c000000000000000", "0:8000000000000000"];

test("a step has the blocks after those of the step before, shard by shard", async () => {
  const blocks = [
    block(id(LEFT, 5), [id(LEFT, 4)], 0),
    block(id(LEFT, 6), [id(LEFT, 5)], 0),
    block(id(RIGHT, 9), [id(RIGHT, 8)], 0),
  ];
  const names = await namesOf([id(LEFT, 6), id(RIGHT, 9)], [id(LEFT, 4), id(RIGHT, 8)], blocks);
  expect(names).toEqual([`${L}:5`, `${L}:6`, `${R}:9`]);
  expect(await namesOf([id(LEFT, 6), id(RIGHT, 9)], [id(LEFT, 6), id(RIGHT, 9)], blocks)).toEqual([]);
});

test("the first step ends at the zero state", async () => {
  expect(await namesOf([id(WHOLE, 1)], [], [block(id(WHOLE, 1), [id(WHOLE, 0)], 0)])).toEqual([`${W}:1`]);
  expect(await namesOf([id(WHOLE, 0)], [], [])).toEqual([]);
});

test("both halves of a split follow the blocks before it, which are read once", async () => {
  const blocks = [
    block(id(WHOLE, 5), [id(WHOLE, 4)], 0),
    block(id(LEFT, 6), [id(WHOLE, 5)], 0),
    block(id(RIGHT, 6), [id(WHOLE, 5)], 0),
  ];
  const names = await namesOf([id(LEFT, 6), id(RIGHT, 6)], [id(WHOLE, 4)], blocks);
  expect(names).toEqual([`${W}:5`, `${L}:6`, `${R}:6`]);
});

test("a merge follows the blocks of both shards", async () => {
  const blocks = [
    block(id(WHOLE, 10), [id(LEFT, 6), id(RIGHT, 9)], 0),
    block(id(LEFT, 6), [id(LEFT, 5)], 0),
    block(id(RIGHT, 9), [id(RIGHT, 8)], 0),
  ];
  const names = await namesOf([id(WHOLE, 10)], [id(LEFT, 5), id(RIGHT, 8)], blocks);
  expect(names).toEqual([`${L}:6`, `${R}:9`, `${W}:10`]);
});
