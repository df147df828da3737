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
export { type LiteStepsOptions, liteServerSteps } from "./sources/lite-servers.ts";
export type { BatchLimits } from "./step-batches.ts";
