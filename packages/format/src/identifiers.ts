export type { AccountId, BlockId, ShardId, TransactionId } from "./identifiers/types.ts";
export { readAddress } from "./state/address.ts";
export { type BlockRef, readBlockRef, writeBlockRef } from "./state/block-ref.ts";
export { addressPrefix, containsAccount, prefixLength, WHOLE_WORKCHAIN, writeShardIdent } from "./state/shard-ident.ts";
