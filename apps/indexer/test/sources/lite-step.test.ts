/** Steps of a network whose shards split and merge. */

import { CellBuilder } from "@chain-query/format/cells";
import { blockName } from "@chain-query/format/identifiers";
import type { BlockId, ShardId, Step } from "@chain-query/format/store";
import { type LiteClient, LiteError } from "@chain-query/lite";
import { describe, expect, test } from "vitest";
import { archiveReads } from "../../src/sources/archive-reads.ts";
import { addQueueSizes, type QueueSizes, queueSizeProofs } from "../../src/sources/lite-servers.ts";
import { type LiteStep, type LiteStepBlock, newShardBlocks } from "../../src/sources/lite-step.ts";

const MASTER: ShardId = { workchain: -1, shard: -(2n ** 63n) };
const WHOLE: ShardId = { workchain: 0, shard: -(2n ** 63n) };
const LEFT: ShardId = { workchain: 0, shard: 2n ** 62n };
const RIGHT: ShardId = { workchain: 0, shard: -(2n ** 62n) };
const hash = new Uint8Array(32);

function id(shard: ShardId, seqno: number): BlockId {
  return { ...shard, seqno, rootHash: hash, fileHash: hash };
}

/** A block that changes the queue of its shard. */
function block(own: BlockId, before: readonly [BlockId, ...BlockId[]], queueChange: number): LiteStepBlock {
  const header = { startLt: 1n, endLt: 2n, time: 3, stateRootHash: hash, transactions: [] };
  return { id: own, previous: before[0], before, queueChange, partialState: new CellBuilder().cell(), ...header };
}

/** The names of the blocks of a step. Checks that each of them was read once. */
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

describe("newShardBlocks", () => {
  test("returns the blocks after the previous step, shard by shard", async () => {
    const blocks = [
      block(id(LEFT, 5), [id(LEFT, 4)], 0),
      block(id(LEFT, 6), [id(LEFT, 5)], 0),
      block(id(RIGHT, 9), [id(RIGHT, 8)], 0),
    ];
    const names = await namesOf([id(LEFT, 6), id(RIGHT, 9)], [id(LEFT, 4), id(RIGHT, 8)], blocks);
    expect(names).toEqual([`${L}:5`, `${L}:6`, `${R}:9`]);
    expect(await namesOf([id(LEFT, 6), id(RIGHT, 9)], [id(LEFT, 6), id(RIGHT, 9)], blocks)).toEqual([]);
  });

  test("ends at the zero state for the first step", async () => {
    expect(await namesOf([id(WHOLE, 1)], [], [block(id(WHOLE, 1), [id(WHOLE, 0)], 0)])).toEqual([`${W}:1`]);
    expect(await namesOf([id(WHOLE, 0)], [], [])).toEqual([]);
  });

  test("returns the halves of a split after the blocks before it, which are read once", async () => {
    const blocks = [
      block(id(WHOLE, 5), [id(WHOLE, 4)], 0),
      block(id(LEFT, 6), [id(WHOLE, 5)], 0),
      block(id(RIGHT, 6), [id(WHOLE, 5)], 0),
    ];
    const names = await namesOf([id(LEFT, 6), id(RIGHT, 6)], [id(WHOLE, 4)], blocks);
    expect(names).toEqual([`${W}:5`, `${L}:6`, `${R}:6`]);
  });

  test("returns a merge after the blocks of both shards", async () => {
    const blocks = [
      block(id(WHOLE, 10), [id(LEFT, 6), id(RIGHT, 9)], 0),
      block(id(LEFT, 6), [id(LEFT, 5)], 0),
      block(id(RIGHT, 9), [id(RIGHT, 8)], 0),
    ];
    const names = await namesOf([id(WHOLE, 10)], [id(LEFT, 5), id(RIGHT, 8)], blocks);
    expect(names).toEqual([`${L}:6`, `${R}:9`, `${W}:10`]);
  });
});

function step(...shards: LiteStepBlock[]): LiteStep {
  return { masterchain: block(id(MASTER, 8), [id(MASTER, 7)], 0), shards, accounts: [] };
}

const MASTER_SIZE = ["-1:8000000000000000:7", 2] as const;

type Sizes = (number | undefined)[];

/** Sizes that are counted, without a query. */
async function sizesOf(of: LiteStep, before: QueueSizes): Promise<Sizes> {
  const { step: done, sizes } = await addQueueSizes(of, before, async () => expect.fail("a proof was asked for"));
  const newest = new Map(done.shards.map(({ id: { shard }, queueSize }) => [shard, queueSize]));
  expect([...sizes.values()].sort()).toEqual([...newest.values(), done.masterchain.queueSize].sort());
  return listed(done);
}

function listed({ shards, masterchain }: Step): Sizes {
  return [...shards, masterchain].map(({ queueSize }) => queueSize);
}

describe("addQueueSizes", () => {
  test("counts from the previous size, block by block", async () => {
    const before = new Map([["0:8000000000000000:4", 10], MASTER_SIZE]);
    const blocks = step(block(id(WHOLE, 5), [id(WHOLE, 4)], 3), block(id(WHOLE, 6), [id(WHOLE, 5)], -7));
    expect(await sizesOf(blocks, before)).toEqual([13, 6, 2]);
  });

  test("begins with 0 after the zero state", async () => {
    expect(await sizesOf(step(block(id(WHOLE, 1), [id(WHOLE, 0)], 3)), new Map([MASTER_SIZE]))).toEqual([3, 2]);
  });

  test("adds the sizes of both shards in a merge", async () => {
    const before = new Map([["0:4000000000000000:4", 10], ["0:c000000000000000:9", 5], MASTER_SIZE]);
    expect(await sizesOf(step(block(id(WHOLE, 10), [id(LEFT, 4), id(RIGHT, 9)], -1)), before)).toEqual([14, 2]);
  });

  const left = [block(id(LEFT, 5), [id(WHOLE, 4)], 1), block(id(LEFT, 6), [id(LEFT, 5)], 2)];
  const split = step(...left, block(id(RIGHT, 5), [id(WHOLE, 4)], 0));
  const whole = new Map([["0:8000000000000000:4", 10], MASTER_SIZE]);

  test("reads proved sizes after a split, and counts on from them", async () => {
    const proved = new Map([
      ["-1:8000000000000000:8", 2],
      ["0:4000000000000000:6", 6],
      ["0:c000000000000000:5", 5],
    ]);
    const { step: done, sizes } = await addQueueSizes(split, whole, async () => proved);
    expect(listed(done)).toEqual([4, 6, 5, 2]);
    expect(sizes).toEqual(proved);
  });

  test("leaves out what is neither counted nor proved", async () => {
    const { step: done, sizes } = await addQueueSizes(split, whole, async () => undefined);
    expect(listed(done)).toEqual([undefined, undefined, undefined, 2]);
    expect([...sizes]).toEqual([["-1:8000000000000000:8", 2]]);
    const merge = step(block(id(WHOLE, 10), [id(LEFT, 6), id(RIGHT, 5)], -1));
    const half = await addQueueSizes(merge, new Map([["0:4000000000000000:6", 6], MASTER_SIZE]), async () => undefined);
    expect(listed(half.step)).toEqual([undefined, 2]);
    // The shard has split within the step, so that its newest block is of an earlier time than the proved sizes.
    const { step: both } = await addQueueSizes(step(block(id(WHOLE, 4), [id(WHOLE, 3)], 1), ...left), new Map(), async () => {
      return new Map([["0:4000000000000000:6", 6]]);
    });
    expect(listed(both)).toEqual([undefined, 4, 6, undefined]);
  });
});

test.each([
  ["a refusal", "refused", -400],
  ["a refusal as not ready", "unavailable", 651],
] as const)("the sizes of queues are read again 100 steps after %s", async (_, kind, code) => {
  const asked: number[] = [];
  const getQueueSizes: LiteClient["getQueueSizes"] = async ({ at } = {}) => {
    asked.push(at?.seqno ?? 0);
    if (asked.length < 3) throw new LiteError(kind, "no out_msg_queue_size in shard state", { code });
    return [{ block: id(MASTER, 300), size: 4 }];
  };
  const prove = queueSizeProofs(
    { getQueueSizes },
    archiveReads({ servers: [], head: undefined }),
    new AbortController().signal,
  );
  const proved: (QueueSizes | undefined)[] = [];
  for (const seqno of [8, 9, 107, 108, 207, 300, 301]) proved.push(await prove(id(MASTER, seqno)));
  const sizes = new Map([["-1:8000000000000000:300", 4]]);
  expect(proved).toEqual([...Array(5).fill(undefined), sizes, sizes]);
  expect(asked).toEqual([8, 108, 300, 301]);
});
