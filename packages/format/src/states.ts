export { type MasterchainExtra, PAST_BLOCKS, type PastBlock, type PastSum, pastKey } from "./state/masterchain-extra.ts";
export {
  immediateEnvelope,
  MESSAGE_QUEUE,
  type ProcessedUpto,
  processedInfo,
  type QueuedMessage,
  queuedMessage,
} from "./state/message-queue.ts";
export { type ShardDescription, writeShardHashes } from "./state/shard-description.ts";
export { type ShardState, stateCell, stateDigest } from "./state/shard-state.ts";
export { zeroState } from "./state/zero-state.ts";
