export {
  immediateEnvelope,
  MESSAGE_QUEUE,
  type ProcessedUpto,
  processedInfo,
  type QueuedMessage,
  queuedMessage,
} from "./message-queue.ts";
export {
  type MasterchainExtra,
  PAST_BLOCKS,
  type PastBlock,
  type PastSum,
  readAccounts,
  readState,
  type ShardState,
  type StateContents,
  stateCell,
  stateDigest,
  zeroState,
} from "./shard-state.ts";
export { readShardHashes, type ShardDescription, writeShardHashes } from "./shards.ts";
