import type { ShardId } from "../../domain.ts";
import type { ChainTotals } from "../commit.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

/** What the store holds: written last in every step, so that all that it speaks of is there. */
export interface StoredHead {
  /** Masterchain seqno. */
  readonly seqno: number;
  readonly transactionCount: bigint;
  readonly totals: ChainTotals;
  /** The newest block of each shard that has one or a zero state; the masterchain first, then by shard. */
  readonly tips: readonly (ShardId & { readonly seqno: number })[];
}

export function writeHead({ seqno, transactionCount, totals, tips }: StoredHead): Uint8Array {
  const writer = new ByteWriter(256).u32(seqno).u64(transactionCount).amount(totals.minted).amount(totals.burnt);
  writer.u32(tips.length);
  for (const tip of tips) writer.i32(tip.workchain).i64(tip.shard).u32(tip.seqno);
  return writer.finish();
}

export function readHead(record: Uint8Array): StoredHead {
  const reader = new ByteReader(record);
  const seqno = reader.u32();
  const transactionCount = reader.u64();
  const totals = { minted: reader.amount(), burnt: reader.amount() };
  const tips = Array.from({ length: reader.u32() }, () => ({
    workchain: reader.i32(),
    shard: reader.i64(),
    seqno: reader.u32(),
  }));
  reader.end();
  return { seqno, transactionCount, totals, tips };
}
