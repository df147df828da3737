export { type ApiKeyTable, openApiKeys } from "./api-keys.ts";
export { redactUrl } from "./database/connection-url.ts";
export { type IndexStatus, readIndexStatus } from "./index-status.ts";
export { migrate, SCHEMA_VERSION } from "./migrate.ts";
export { type PartitionedSteps, type PartitionPlan, partitionSteps } from "./partitions/partitions.ts";
export { type EarlierHistory, postgresChainReader } from "./reading/chain-reader.ts";
export { type DatabaseRead, type DatabaseSet, Databases, type ReadDatabase } from "./reading/databases.ts";
export { openPostgresReader } from "./reading/reader.ts";
export { ServedHead } from "./reading/served-head.ts";
export { openSignedFork, type SignedForkTable, signedForkRemoval } from "./signed-fork.ts";
export {
  type ApiKeyRow,
  type DatabaseEvents,
  type DatabaseState,
  type DatabaseStatus,
  DroppedHistoryError,
  type IndexedChain,
  type IndexHead,
  type PostgresConnection,
  type PostgresExtension,
  type PostgresReader,
  PostgresStoreError,
  type PostgresWriter,
  UnreadAccountError,
} from "./types.ts";
export { type VerifiedIndex, type VerifyOptions, verifyIndex } from "./verify/verify-index.ts";
export { dropAfter } from "./writing/drop-after.ts";
export { type DropOptions, type DroppedHistory, type DroppedPartition, dropHistory } from "./writing/drop-history.ts";
export { openPostgresExtension } from "./writing/extend-index.ts";
export type { WriterOptions } from "./writing/lease.ts";
export { openPostgresWriter } from "./writing/writer.ts";
