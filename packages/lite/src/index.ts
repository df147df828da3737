export {
  accountState,
  type LiteReaderOptions,
  liteChainReader,
  type ReadNetwork,
  readLite,
  transactionOf,
} from "./chain-reader.ts";
export { AnchorError, readAnchor, type TrustedConfig, writeAnchor } from "./head/anchor.ts";
export { type FollowOptions, followBlockProof } from "./head/follow-block-proof.ts";
export type { LiteHead } from "./head/heads.ts";
export { type SignedForkStore, signedForkFile } from "./head/signed-fork.ts";
export { type LiteClient, type LiteClientOptions, type LiteReadOptions, liteClient } from "./lite-client.ts";
export { anchorFileOf, type LiteConfig, type LiteFiles, readGlobalConfig, readLiteConfig } from "./lite-files.ts";
export { liteProofs } from "./lite-proofs.ts";
export { type VerifiedBlockProof, verifyBlockProof } from "./proof/block-links.ts";
export { verifyShardBlockProof } from "./proof/block-lookup.ts";
export type { LiteAccount, LiteTransaction } from "./read/accounts.ts";
export type { LiteBlock, LiteQueueSize } from "./read/blocks.ts";
export type { LiteMessageKey } from "./read/find-transactions.ts";
export { commonOldest, type LiteHistory, type OldestBlock } from "./read/histories.ts";
export type { LiteEvent, LiteMethod, OnLiteEvent } from "./servers/events.ts";
export { type LiteEventLine, liteEventLines, liteSyncStatus } from "./servers/events.ts";
export { isBehind, isMissing, isMissingSomewhere, type LiteFault } from "./servers/fault.ts";
export {
  ConfigError,
  type GlobalConfig,
  type HistorySlice,
  parseGlobalConfig,
  type ServerAddress,
  type SliceEnd,
} from "./servers/global-config.ts";
export type { LiteBudget } from "./servers/query-budget.ts";
export type { LiteServerStatus } from "./servers/server.ts";
export { LiteError, type LiteErrorKind } from "./wire/lite-error.ts";
