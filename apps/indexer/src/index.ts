/**
 * Indexes a chain into PostgreSQL.
 *
 * @module
 */
export {
  type IndexerEvent,
  type IndexerOptions,
  runIndexer,
  type WaitCause,
} from "./run-indexer.ts";
export type { BatchLimits } from "./step-batches.ts";
