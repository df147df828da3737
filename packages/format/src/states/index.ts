export {
  createQueuedMessage,
  MESSAGE_QUEUE,
  type ProcessedUpto,
  type QueuedMessage,
} from "./message-queue.ts";
export {
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
  type StateContents,
} from "./shard-state.ts";
export { readShardHashes, type ShardDescription, writeShardHashes } from "./shards.ts";
