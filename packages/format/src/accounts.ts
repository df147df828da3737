export { type AccountStatus, type DecodedAccount, decodeAccount, decodeShardAccount } from "./decode/account.ts";
export { readShardAccount, SHARD_ACCOUNTS, type ShardAccount } from "./state/shard-account.ts";
