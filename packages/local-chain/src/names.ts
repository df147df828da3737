import type { AccountId, ShardId, TransactionId } from "@chain-query/format/identifiers";

/** Ids as text, in the form that `inspect` accepts: raw addresses, shards in hexadecimal. */

/** `0:C4CA…`, the raw address. */
export function accountName({ workchain, hash }: AccountId): string {
  return `${workchain}:${Buffer.from(hash).toString("hex").toUpperCase()}`;
}

/** `0:4000000000000000` */
export function shardName({ workchain, shard }: ShardId): string {
  return `${workchain}:${BigInt.asUintN(64, shard).toString(16).padStart(16, "0")}`;
}

/** `0:4000000000000000:12` */
export function blockName(shard: ShardId, seqno: number): string {
  return `${shardName(shard)}:${seqno}`;
}

/** The account's raw address and the logical time: `0:C4CA…:61000001` */
export function transactionName(account: AccountId, { lt }: Pick<TransactionId, "lt">): string {
  return `${accountName(account)}:${lt}`;
}
