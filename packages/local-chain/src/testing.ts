export { blockByPrefix, prefixOf, selectorsOf, shardOf } from "./testing/block-lookup.ts";
export { copyMadeChain, type MadeChainOptions, madeChain, stepsOf, storedRecords } from "./testing/made-chain.ts";
export {
  createSyntheticChain,
  type SyntheticOptions,
  syntheticAccount,
} from "./testing/synthetic-chain.ts";
