import { blockId, list, type RecordIo, type RecordType, recordType } from "@chain-query/chain-store";
import type { BlockId, ShardId } from "@chain-query/format/identifiers";
import type { ChainGenesis, ChainTotals } from "./commit.ts";

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
  readonly totals: ChainTotals;
  /** The newest block or zero state of each shard, the masterchain first, then by shard. */
  readonly tips: readonly StoredTip[];
}
type StoredTip = ShardId & { readonly seqno: number };

export const headRecord: RecordType<StoredHead> = recordType(256, (io, head) => ({
  seqno: io.u32(head?.seqno),
  transactionCount: io.u64(head?.transactionCount),
  totals: { minted: io.amount(head?.totals.minted), burnt: io.amount(head?.totals.burnt) },
  tips: list(io, io.u32(head?.tips.length), head?.tips, tip),
}));

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
