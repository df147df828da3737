export {
  changePublisher,
  PUBLIC_LIBRARIES,
  type PublicLibrary,
  readPublicLibraries,
  readStateLibraries,
} from "./libraries.ts";
export {
  createQueuedMessage,
  EXTERNAL_QUEUE_LIMIT,
  MESSAGE_QUEUE,
  type ProcessedUpto,
  type QueuedMessage,
  restoreQueuedMessage,
} from "./message-queue.ts";
export { buildSplitState, compactProcessed, mergeStates, splitState } from "./resharding.ts";
export {
  encodePrunedState,
  encodeState,
  encodeZeroState,
  hashState,
  type LoadHistory,
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
  type Resharding,
  type ReshardingWindow,
  readShardHashes,
  readShardTops,
  type ShardCatchain,
  type ShardDescription,
  type ShardTop,
  writeShardHashes,
} from "./shards.ts";
export {
  type AccountEntry,
  type KeyBlocks,
  lookUpAccount,
  lookUpPastBlock,
  type MasterchainParts,
  readKeyBlocks,
  readMasterchainParts,
  readQueueSize,
  readStateParts,
  readStateShards,
  type StateParts,
} from "./state-parts.ts";
export type { FormerStates } from "./state-update.ts";
