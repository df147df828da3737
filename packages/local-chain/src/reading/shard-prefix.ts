import type { ShardId } from "../domain.ts";

/**
 * Whether one shard holds all that another holds: its prefix, the bits above the mark, begins the other's. Every shard contains
 * itself; 0, which has no mark, is none.
 */
export function containsShard(outer: ShardId, inner: ShardId): boolean {
  const outerMark = markOf(outer.shard);
  const innerMark = markOf(inner.shard);
  if (outer.workchain !== inner.workchain || innerMark === 0n || outerMark < innerMark) return false;
  return (prefixBits(outer.shard) ^ prefixBits(inner.shard)) < outerMark * 2n;
}

/** The marking bit: the lowest one that is set. */
function markOf(shard: bigint): bigint {
  return BigInt.asUintN(64, shard & -shard);
}

function prefixBits(shard: bigint): bigint {
  return BigInt.asUintN(64, shard) - markOf(shard);
}
