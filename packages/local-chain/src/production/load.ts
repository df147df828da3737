/** The load of shards, by which they split and merge. */
import { prefixLength } from "@chain-query/format/identifiers";
import type { LoadHistory, Resharding, ShardState } from "@chain-query/format/states";
import type { ChainOptions } from "../genesis/options.ts";
import { MAX_DEPTH } from "../store/tables.ts";

const NO_LOAD: LoadHistory = { overloaded: 0n, underloaded: 0n };

/** A block with at most this part of the transactions that fit is underloaded. */
const UNDERLOADED = 1 / 4;

/**
 * The load of a shard with its next block.
 *
 * @param count - Of the block's transactions.
 * @param leaves - Whether it leaves messages waiting for a later block.
 */
export function loadAfter(
  { load = NO_LOAD }: ShardState,
  { count, leaves }: { readonly count: number; readonly leaves: boolean },
  { transactionLimit }: Pick<ChainOptions, "transactionLimit">,
): LoadHistory {
  const next = (history: bigint, isSet: boolean): bigint => BigInt.asUintN(64, (history << 1n) | (isSet ? 1n : 0n));
  return {
    overloaded: next(load.overloaded, leaves || count >= transactionLimit),
    underloaded: next(load.underloaded, !leaves && count <= UNDERLOADED * transactionLimit),
  };
}

/** What the next block of a shard asks for because of the blocks before it. */
export function wantsByLoad({ shard: { shard }, load = NO_LOAD }: ShardState): Pick<Resharding, "wantsSplit" | "wantsMerge"> {
  return {
    wantsSplit: isHeavy(load.overloaded) && prefixLength(shard) < MAX_DEPTH,
    wantsMerge: isHeavy(load.underloaded) && prefixLength(shard) > 0,
  };
}

/** The newest 48 blocks have up to 96 points. As in the network, 64 are enough: of the newest 24 blocks, for example. */
function isHeavy(history: bigint): boolean {
  const count = (from: number): number =>
    BigInt.asUintN(16, history >> BigInt(from))
      .toString(2)
      .replaceAll("0", "").length;
  return 3 * count(0) + 2 * count(16) + count(32) >= 64;
}
