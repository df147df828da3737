/** How many blocks each shard has in a step. */
import type { ShardId } from "@chain-query/format/identifiers";
import type { ChainOptions } from "../genesis/options.ts";
import { pick, seededRandom } from "../random.ts";

/** As on a network whose masterchain blocks come about as often as those of shards, or faster. */
const UNEVEN = [0, 0, 1, 1, 2, 3] as const;

/** The number of blocks of a shard in a step, by the seed. */
export function shardBlockCount({ seed, shardBlocks }: ChainOptions, seqno: number, { workchain, shard }: ShardId): number {
  return shardBlocks === "one" ? 1 : pick(seededRandom(seed, "shard-blocks", workchain, shard.toString(), seqno), UNEVEN);
}

/** The time of one of the blocks of a shard in a step. They are spread over the time since the last step; the last one ends it. */
export function timeInStep(before: number, time: number, part: number): number {
  return before + Math.ceil((time - before) * part);
}
