export {
  type IndexedChain,
  type IndexHead,
  type PostgresConnection,
  type PostgresReader,
  PostgresStoreError,
  type PostgresWriter,
} from "./types.ts";
