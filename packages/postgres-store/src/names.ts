import type { AccountId, BlockId } from "@chain-query/chain-store";

/** `0:C4CA…`, the raw address. */
export function accountName({ workchain, hash }: AccountId): string {
  return `${workchain}:${Buffer.from(hash).toString("hex").toUpperCase()}`;
}

/** `0:4000000000000000:12` */
export function blockName({ workchain, shard, seqno }: Pick<BlockId, "workchain" | "shard" | "seqno">): string {
  return `${workchain}:${BigInt.asUintN(64, shard).toString(16).padStart(16, "0")}:${seqno}`;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
