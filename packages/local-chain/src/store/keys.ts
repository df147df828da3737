import {
  ACCOUNT_BYTES,
  type AccountId,
  type MessageKey,
  orderedWorkchain,
  putAccount,
  type ShardId,
} from "@chain-query/chain-store";

/**
 * Keys of the LMDB tables. Numbers are big-endian, and signed ones have their sign bit flipped, so that LMDB's byte order is the
 * order of workchains, lts, seqnos and times.
 */

const SHARD_BYTES = 4 + 8;

/** workchain(4) | address(32) | lt(8) */
export function transactionKey(account: AccountId, lt: bigint): Buffer {
  const key = putAccount(Buffer.allocUnsafe(ACCOUNT_BYTES + 8), account, 0);
  key.writeBigUInt64BE(lt, ACCOUNT_BYTES);
  return key;
}

/** workchain(4) | address(32) | masterchain seqno(4) */
export function versionKey(account: AccountId, seqno: number): Buffer {
  const key = putAccount(Buffer.allocUnsafe(ACCOUNT_BYTES + 4), account, 0);
  key.writeUInt32BE(seqno, ACCOUNT_BYTES);
  return key;
}

/** source(36) | destination(36) | created lt(8) */
export function messageKey({ source, destination, createdLt }: MessageKey): Buffer {
  const key = putAccount(Buffer.allocUnsafe(2 * ACCOUNT_BYTES + 8), source, 0);
  putAccount(key, destination, ACCOUNT_BYTES);
  key.writeBigUInt64BE(createdLt, 2 * ACCOUNT_BYTES);
  return key;
}

/** workchain(4) | shard(8) | seqno(4) */
export function blockKey(shard: ShardId, seqno: number): Buffer {
  const key = putShard(Buffer.allocUnsafe(SHARD_BYTES + 4), shard);
  key.writeUInt32BE(seqno, SHARD_BYTES);
  return key;
}

/** workchain(4) | shard(8) | end lt(8) */
export function blockLtKey(shard: ShardId, endLt: bigint): Buffer {
  const key = putShard(Buffer.allocUnsafe(SHARD_BYTES + 8), shard);
  key.writeBigUInt64BE(endLt, SHARD_BYTES);
  return key;
}

/** workchain(4) | shard(8) | time(4) | seqno(4) */
export function blockTimeKey(shard: ShardId, time: number, seqno: number): Buffer {
  const key = putShard(Buffer.allocUnsafe(SHARD_BYTES + 8), shard);
  key.writeUInt32BE(time, SHARD_BYTES);
  key.writeUInt32BE(seqno, SHARD_BYTES + 4);
  return key;
}

/** The key of a record in the tables "meta" and "producer". */
export function textKey(name: string): Buffer {
  return Buffer.from(name, "utf8");
}

function putShard(key: Buffer, { workchain, shard }: ShardId): Buffer {
  key.writeUInt32BE(orderedWorkchain(workchain), 0);
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 4);
  return key;
}

export const HIGHEST_U32: number = 2 ** 32 - 1;
export const HIGHEST_LT: bigint = 2n ** 64n - 1n;

/** Callers may ask for any number. One outside of this range must not become a key: it would be the key of another number. */
export function isU32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= HIGHEST_U32;
}

/** The same for logical times. */
export function isLt(value: bigint): boolean {
  return value >= 0n && value <= HIGHEST_LT;
}
