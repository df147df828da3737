export { type ApiKeyRow, type ApiKeyTable, openApiKeys } from "./api-keys.ts";
export { openPostgresBackfill } from "./backfill.ts";
export { coalesced } from "./coalesced.ts";
export { redactUrl } from "./connection-url.ts";
export { migrate, SCHEMA_VERSION } from "./migrate.ts";
export type { WriterOptions } from "./open-with-lease.ts";
export { openPostgresReader } from "./reader.ts";
export { type IndexStatus, readIndexStatus } from "./sizes.ts";
export {
  type IndexedChain,
  type IndexHead,
  type PostgresBackfill,
  type PostgresConnection,
  type PostgresReader,
  PostgresStoreError,
  type PostgresWriter,
} from "./types.ts";
export { type VerifiedIndex, verifyIndex } from "./verify/verify-index.ts";
export { openPostgresWriter } from "./writer.ts";
