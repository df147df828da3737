export { LiteError, type LiteErrorKind } from "@chain-query/lite-protocol/error";
export { type LiteClient, type LiteClientOptions, type LiteReadOptions, liteClient } from "./lite-client.ts";
export type { LiteMessageKey } from "./locate/find-sender.ts";
export type { LiteHead } from "./pool/accepted-heads.ts";
export { type LiteEventLine, liteEventLines } from "./pool/event-lines.ts";
export type { LiteEvent, LiteMethod, OnLiteEvent } from "./pool/events.ts";
export { isBehind, isMissing, isMissingSomewhere, type LiteFault } from "./pool/fault.ts";
export {
  ConfigError,
  type GlobalConfig,
  type HistorySlice,
  parseGlobalConfig,
  type ServerAddress,
  type SliceEnd,
} from "./pool/global-config.ts";
export type { LiteBudget } from "./pool/query-budget.ts";
export type { LiteServerStatus } from "./pool/server.ts";
export { liteSyncStatus } from "./pool/sync-status.ts";
export { type VerifiedBlockProof, verifyBlockProof } from "./proof/block-links.ts";
export { verifyShardBlockProof } from "./proof/shard-links.ts";
export type { LiteAccount, LiteTransaction } from "./reading/accounts.ts";
export type { LiteBlock, LiteBlockSelector, LiteQueueSize } from "./reading/blocks.ts";
export { commonOldest, type LiteHistory, type OldestBlock } from "./reading/histories.ts";
export { AnchorError, defaultAnchor, readAnchor, type TrustedConfig, writeAnchor } from "./sync/anchor.ts";
export { type FollowOptions, followBlockProof } from "./sync/follow-block-proof.ts";
export { type SignedForkStore, signedForkFile } from "./sync/signed-fork.ts";
