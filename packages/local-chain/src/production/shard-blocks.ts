/** How many blocks each shard has in a step, and to which masterchain block they refer. */
import { uint32Key } from "@chain-query/format/dictionaries";
import type { BlockRef, ShardId } from "@chain-query/format/identifiers";
import type { ChainOptions } from "../genesis/options.ts";
import { pick, seededRandom } from "../random.ts";
import { newestKeyBlock } from "../reading/state-reader.ts";
import type { Network, Shard } from "./network.ts";
import { descriptionOf } from "./resharding.ts";

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

/** By how many blocks the reference to the masterchain is behind, as on a network where shards learn of its blocks late. */
const LAGS = [0, 0, 0, 1, 2] as const;

/**
 * The masterchain block that the next block of a shard refers to: the newest one, or in an uneven chain, by the seed, one of the two before
 * it. Never one before that of the shard's last block or before the newest key block, and always the newest one while the shard is to
 * split or to merge, and right after that.
 */
export function referredMaster({ options, masterchain }: Network, { state, origin }: Shard): BlockRef {
  const { ref: newest } = masterchain.tip;
  const { workchain, shard } = state.shard;
  if (options.shardBlocks === "one" || origin || descriptionOf({ masterchain }, state.shard)?.resharding) return newest;
  const lag = pick(seededRandom(options.seed, "master", workchain, shard.toString(), state.seqno + 1), LAGS);
  const least = Math.max(state.master?.seqno ?? newest.seqno, newestKeyBlock(newest.seqno, masterchain.state.masterchain));
  const seqno = Math.max(newest.seqno - lag, least);
  return masterchain.state.masterchain?.past.get(uint32Key(seqno))?.block ?? newest;
}
