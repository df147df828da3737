export { blockByPrefix, prefixOf, selectorsOf, shardOf } from "./testing/block-lookup.ts";
export { falseSignatures } from "./testing/false-signatures.ts";
export { copyMadeChain, type MadeChainOptions, madeChain, storedRecords } from "./testing/made-chain.ts";
export {
  createSyntheticChain,
  type SyntheticOptions,
  syntheticAccount,
} from "./testing/synthetic-chain.ts";
