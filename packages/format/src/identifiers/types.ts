/** An account: its workchain (-1 masterchain, 0 basechain) and the 256 bits of its address. */
export interface AccountId {
  readonly workchain: number;
  readonly hash: Uint8Array;
}

/** A shard of a workchain. `shard` is the prefix with its marking bit, as a signed 64-bit integer: -2^63 is the whole workchain. */
export interface ShardId {
  readonly workchain: number;
  readonly shard: bigint;
}

/** A block, named completely. */
export interface BlockId extends ShardId {
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/** One transaction of a known account. */
export interface TransactionId {
  readonly lt: bigint;
  readonly hash: Uint8Array;
}
