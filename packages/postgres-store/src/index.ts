export { redactUrl } from "./connection-url.ts";
export { migrate, SCHEMA_VERSION } from "./migrate.ts";
export {
  type IndexedChain,
  type IndexHead,
  type PostgresConnection,
  type PostgresReader,
  PostgresStoreError,
  type PostgresWriter,
} from "./types.ts";
export { openPostgresWriter, type WriterOptions } from "./writer.ts";
