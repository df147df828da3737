export { copyMadeChain, type MadeChainOptions, madeChain } from "./testing/made-chain.ts";
export { openRecordedProducer, type RecordedProducer } from "./testing/recorded-producer.ts";
export { storedRecords } from "./testing/stored-records.ts";
export {
  createSyntheticChain,
  type SyntheticOptions,
  syntheticAccount,
} from "./testing/synthetic-chain.ts";
