export type {
  LiteAccount,
  LiteBlock,
  LiteBlockSelector,
  LiteClient,
  LiteHead,
  LiteMessageKey,
  LiteQueueSize,
  LiteReadOptions,
  LiteServerStatus,
  LiteTransaction,
} from "./lite-client.ts";
export { LiteError, type LiteErrorKind } from "./lite-error.ts";
