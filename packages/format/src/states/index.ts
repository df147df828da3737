export {
  createQueuedMessage,
  EXTERNAL_QUEUE_LIMIT,
  MESSAGE_QUEUE,
  type ProcessedUpto,
  type QueuedMessage,
} from "./message-queue.ts";
export {
  encodePrunedState,
  encodeState,
  encodeZeroState,
  hashState,
  type MasterchainExtra,
  PAST_BLOCKS,
  type PastBlock,
  type PastSum,
  readAccounts,
  readState,
  type ShardState,
  type StateAccount,
  type StateContents,
} from "./shard-state.ts";
export {
  lookUpShard,
  readShardHashes,
  readShardTops,
  type ShardDescription,
  type ShardTop,
  writeShardHashes,
} from "./shards.ts";
export {
  type AccountEntry,
  lookUpAccount,
  lookUpPastBlock,
  type MasterchainParts,
  readMasterchainParts,
  readQueueSize,
  readStateParts,
  readStateShards,
  type StateParts,
} from "./state-parts.ts";
