import type { BlockId } from "@chain-query/format/identifiers";
import {
  ACCOUNT_BYTES,
  type AccountId,
  type BlockHeader,
  blockId,
  list,
  type MessageKey,
  orderedWorkchain,
  putAccount,
  type RecordIo,
  type RecordType,
  recordType,
  type ShardId,
} from "@chain-query/format/store";
import type { ChainGenesis } from "./commit.ts";

/** Records of the LMDB store only. The order of the fields in a description is their order on disk. */

/** The options and zero states of a chain. The bytes of the zero states are in the table of blocks. */
export interface StoredGenesis extends Pick<ChainGenesis, "time" | "retentionSeconds" | "options"> {
  readonly masterchain: BlockId;
  readonly shards: readonly BlockId[];
}

export const genesisRecord: RecordType<StoredGenesis> = recordType(1024, (io, genesis) => ({
  time: io.u32(genesis?.time),
  retentionSeconds: io.u32(genesis?.retentionSeconds),
  options: JSON.parse(text(io.bytes(genesis && Buffer.from(JSON.stringify(genesis.options))))),
  masterchain: blockId(io, genesis?.masterchain),
  shards: list(io, io.u32(genesis?.shards.length), genesis?.shards, blockId),
}));

/** The head is written last in every step, so everything that it refers to exists. */
export interface StoredHead {
  /** Masterchain seqno. */
  readonly seqno: number;
  readonly transactionCount: bigint;
  readonly burnt: bigint;
  /** The newest block or zero state of each shard, the masterchain first, then by shard. */
  readonly tips: readonly StoredTip[];
}
type StoredTip = ShardId & { readonly seqno: number };

export const headRecord: RecordType<StoredHead> = recordType(256, (io, head) => {
  const [seqno, transactionCount] = [io.u32(head?.seqno), io.u64(head?.transactionCount)];
  // The minted value: a local chain mints nothing.
  io.amount(head && 0n);
  return { seqno, transactionCount, burnt: io.amount(head?.burnt), tips: list(io, io.u32(head?.tips.length), head?.tips, tip) };
});

/** A seqno in an index of blocks. */
export const numberRecord: RecordType<number> = recordType(4, (io, value) => io.u32(value));

/** Logical times of the transactions that sent and that received a message; the message's key has their accounts. */
export interface StoredTrace {
  readonly producerLt?: bigint;
  readonly consumerLt?: bigint;
}

/** 0 is an absent transaction: no transaction has logical time 0. */
export const traceRecord: RecordType<StoredTrace> = recordType(16, (io, trace) => {
  const producerLt = io.u64(trace && (trace.producerLt ?? 0n));
  const consumerLt = io.u64(trace && (trace.consumerLt ?? 0n));
  return { ...(producerLt !== 0n && { producerLt }), ...(consumerLt !== 0n && { consumerLt }) };
});

function tip(io: RecordIo, value?: StoredTip): StoredTip {
  return { workchain: io.i32(value?.workchain), shard: io.i64(value?.shard), seqno: io.u32(value?.seqno) };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

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

/**
 * The key of an account after a shard block that is not the last one of its shard in a step: between the versions before and after the step.
 *
 * workchain(4) | address(32) | number of the masterchain block before the step(4) | seqno(4)
 */
export function blockVersionKey(
  account: AccountId,
  { id, masterchainSeqno }: Pick<BlockHeader, "id" | "masterchainSeqno">,
): Buffer {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(id.seqno);
  return Buffer.concat([versionKey(account, masterchainSeqno - 1), key]);
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
