/** A chain whose left half is split in two and merged again: produced steps, with other shards in the ids of their blocks. */
import { createHash } from "node:crypto";
import { isSameShard } from "@chain-query/format/identifiers";
import type { BlockId, BlockSelector, ShardId, Step, StepBlock } from "@chain-query/format/store";
import { SMALL } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { verifyIndex } from "../src/index.ts";
import { openTestReader, producedSteps, writtenIndex } from "./indexed-chains.ts";

const LEFT = shardOf("0");
const [LEFT_OF_LEFT, RIGHT_OF_LEFT] = [shardOf("00"), shardOf("01")];
/** The first steps of the two shards, and of the merged one. */
const [SPLIT, MERGE] = [4, 9];
/** The step in which the right one of the two has no block. */
const IDLE = 6;

/** A shard of the basechain by the first bits of its addresses. */
function shardOf(prefix: string): ShardId {
  return { workchain: 0, shard: BigInt.asIntN(64, BigInt(`0b${`${prefix}1`.padEnd(64, "0")}`)) };
}

test("a block is found by its number, logical time and time, whichever shard contains the prefix at that moment", async () => {
  const produced = await producedSteps(SMALL);
  const chain = { ...produced, steps: resharded(produced.steps) };
  const connection = await writtenIndex(chain, [chain.steps.slice(0, 5), chain.steps.slice(5)]);
  await verifyIndex(connection);

  const reader = openTestReader(connection);
  const blocks = chain.steps.flatMap(({ masterchain, shards }) =>
    shards.map((block) => ({ ...block, step: masterchain.id.seqno })),
  );
  const prefixes = ["", "0", "00", "01", "0011", "0100", "1", "101"];
  const found = new Set<bigint>();
  for (const prefix of prefixes) {
    const bits = `${prefix}1`;
    const own = blocks.filter(({ id }) => bits.padEnd(64, "0").startsWith(prefixOf(id)));
    const selectors: BlockSelector[] = blocks.flatMap(({ id: { seqno }, endLt, time }) => [
      { seqno },
      { lt: endLt },
      { lt: endLt + 1n },
      { time },
      { time: time + 1 },
    ]);
    const ask = selectors.flatMap((selector) => [12, 7].map((at) => ({ selector, at })));
    await Promise.all(
      ask.map(async ({ selector, at }) => {
        const expected = own.find((block) => matches(block, selector) && block.step <= at)?.id;
        const header = await reader.block(shardOf(prefix), selector, at);
        expect(header?.id, `${prefix} ${JSON.stringify(selector, (_, value) => String(value))} ${at}`).toEqual(expected);
        if (header !== undefined) found.add(header.id.shard);
      }),
    );
  }
  expect(found).toEqual(new Set(["0", "00", "01", "1"].map((prefix) => shardOf(prefix).shard)));
  expect(await reader.block({ workchain: 0, shard: 0n }, { seqno: 1 }, 12)).toBeUndefined();
  await reader.close();
});

/** The bits of the addresses of a shard. */
function prefixOf({ shard }: ShardId): string {
  return BigInt.asUintN(64, shard).toString(2).padStart(64, "0").replace(/10*$/, "");
}

function matches({ id, endLt, time }: StepBlock, selector: BlockSelector): boolean {
  if ("seqno" in selector) return id.seqno === selector.seqno;
  return "lt" in selector ? endLt >= selector.lt : time >= selector.time;
}

/** Numbers and links the blocks of the left half anew. The right one of its two shards has empty blocks. */
function resharded(steps: readonly Step[]): Step[] {
  const tips = new Map<bigint, BlockId>();
  const next = (block: StepBlock, shard: ShardId, before: readonly ShardId[]): StepBlock => {
    const parents = before.flatMap(({ shard: id }) => tips.get(id) ?? []);
    const [previous] = parents.toSorted((one, other) => other.seqno - one.seqno);
    const id = { ...block.id, ...shard, seqno: (previous?.seqno ?? 0) + 1 };
    tips.set(shard.shard, id);
    return { ...block, id, previous: previous ?? block.previous };
  };
  return steps.map((step) => {
    const seqno = step.masterchain.id.seqno;
    const shards = step.shards.flatMap((block) => {
      if (!isSameShard(block.id, LEFT)) return [block];
      if (seqno < SPLIT) return [next(block, LEFT, [LEFT])];
      if (seqno >= MERGE) return [next(block, LEFT, seqno === MERGE ? [LEFT_OF_LEFT, RIGHT_OF_LEFT] : [LEFT])];
      const parent = (own: ShardId): readonly ShardId[] => [seqno === SPLIT ? LEFT : own];
      const rootHash = Uint8Array.from(createHash("sha256").update(`right ${seqno}`).digest());
      const empty: StepBlock = { ...block, id: { ...block.id, rootHash, fileHash: rootHash }, transactions: [], queueSize: 0 };
      const left = next(block, LEFT_OF_LEFT, parent(LEFT_OF_LEFT));
      return seqno === IDLE ? [left] : [left, next(empty, RIGHT_OF_LEFT, parent(RIGHT_OF_LEFT))];
    });
    return { ...step, shards };
  });
}
