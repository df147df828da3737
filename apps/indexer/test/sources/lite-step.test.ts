import { CellBuilder } from "@chain-query/format/cells";
import { blockName } from "@chain-query/format/identifiers";
import type { BlockId, ShardId, Step } from "@chain-query/format/store";
import { type LiteClient, LiteError } from "@chain-query/lite";
import { expect, test } from "vitest";
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

function step(...shards: LiteStepBlock[]): LiteStep {
  return { masterchain: block(id(MASTER, 8), [id(MASTER, 7)], 0), shards, accounts: [] };
}

test("a block before two halves of a split is read once, and comes before them; a zero state is not read", async () => {
  const halves = [LEFT, RIGHT].map((half) => block(id(half, 2), [id(WHOLE, 1)], 0));
  const blocks = [...halves, block(id(WHOLE, 1), [id(WHOLE, 0)], 0)];
  const read = async (asked: BlockId) =>
    blocks.find((one) => blockName(one.id) === blockName(asked)) ?? expect.fail(`${blockName(asked)} is not needed`);
  const found = await newShardBlocks([id(LEFT, 2), id(RIGHT, 2)], [], read);
  expect(found).toEqual([blocks[2], ...halves]);
  expect(await newShardBlocks([id(WHOLE, 0)], [], read)).toEqual([]);
});

const MASTER_SIZE = ["-1:8000000000000000:7", 2] as const;

function listed({ shards, masterchain }: Step): (number | undefined)[] {
  return [...shards, masterchain].map(({ queueSize }) => queueSize);
}

test("the sizes of queues are counted from 0 after the zero state", async () => {
  const first = step(block(id(WHOLE, 1), [id(WHOLE, 0)], 3));
  const { step: done } = await addQueueSizes(first, new Map([MASTER_SIZE]), () => expect.fail("a proof was asked for"));
  expect(listed(done)).toEqual([3, 2]);
});

test("the sizes of queues that are neither counted nor proved are left out", async () => {
  const left = [block(id(LEFT, 5), [id(WHOLE, 4)], 1), block(id(LEFT, 6), [id(LEFT, 5)], 2)];
  const split = step(...left, block(id(RIGHT, 5), [id(WHOLE, 4)], 0));
  const whole = new Map([["0:8000000000000000:4", 10], MASTER_SIZE]);
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
