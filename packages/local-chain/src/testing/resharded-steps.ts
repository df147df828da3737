/** Steps in which a shard is split and merged again: those of a chain whose shards stay, with other shards in the ids of their blocks. */
import { createHash } from "node:crypto";
import { isSameShard } from "@chain-query/format/identifiers";
import type { BlockId, BlockSelector, ShardId, Step, StepBlock } from "@chain-query/format/store";

const LEFT = shardOf("0");
const [LEFT_OF_LEFT, RIGHT_OF_LEFT] = [shardOf("00"), shardOf("01")];
/** The first steps of the two shards, and of the merged one. */
const [SPLIT, MERGE] = [4, 9];
/** The step in which the right one of the two has no block. */
const IDLE = 6;

/** A shard of the basechain by the first bits of its addresses. */
export function shardOf(prefix: string): ShardId {
  return { workchain: 0, shard: BigInt.asIntN(64, BigInt(`0b${`${prefix}1`.padEnd(64, "0")}`)) };
}

/**
 * Splits the left half of the basechain at step 4 and merges it at step 9: numbers and links its blocks anew. The right one of its two
 * shards has empty blocks.
 *
 * @param steps - Of a chain with two shards, from the first step on.
 */
export function reshardedSteps(steps: readonly Step[]): Step[] {
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

/** The block of the shard with some accounts that a selector names, by the rule of `lookupBlock`, among the blocks of steps. */
export function blockByPrefix(steps: readonly Step[], prefix: string, selector: BlockSelector): BlockId | undefined {
  const bits = `${prefix}1`.padEnd(64, "0");
  return steps
    .flatMap(({ shards }) => shards)
    .filter(({ id }) => bits.startsWith(prefixOf(id)))
    .find((block) => matches(block, selector))?.id;
}

/** Selectors of each block: its number, its logical time and its time, and those after it. */
export function selectorsOf(steps: readonly Step[]): BlockSelector[] {
  const blocks = steps.flatMap(({ shards }) => shards);
  return blocks.flatMap(({ id: { seqno }, endLt, time }) => [
    { seqno },
    { lt: endLt },
    { lt: endLt + 1n },
    { time },
    { time: time + 1 },
  ]);
}

/** The bits of the addresses of a shard. */
function prefixOf({ shard }: ShardId): string {
  return BigInt.asUintN(64, shard).toString(2).padStart(64, "0").replace(/10*$/, "");
}

function matches({ id, endLt, time }: StepBlock, selector: BlockSelector): boolean {
  if ("seqno" in selector) return id.seqno === selector.seqno;
  return "lt" in selector ? endLt >= selector.lt : time >= selector.time;
}
