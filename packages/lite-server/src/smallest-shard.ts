import { type AccountId, addressPrefix, type ShardId } from "@chain-query/format/identifiers";

/** The smallest shard that contains an account: 60 bits of its address. */
export function smallestShard({ workchain, hash }: AccountId): ShardId {
  return { workchain, shard: BigInt.asIntN(64, (addressPrefix(hash) & ~15n) | 8n) };
}

/** The first of the smallest shards within a shard. */
export function smallestWithin({ workchain, shard }: ShardId): ShardId {
  const marked = BigInt.asUintN(64, shard);
  return { workchain, shard: BigInt.asIntN(64, marked & 15n ? marked : (marked & (marked - 1n)) | 8n) };
}
