export { falseSignatures } from "./testing/false-signatures.ts";
export { copyMadeChain, type MadeChainOptions, madeChain, storedRecords } from "./testing/made-chain.ts";
export { blockByPrefix, reshardedSteps, selectorsOf, shardOf } from "./testing/resharded-steps.ts";
export {
  createSyntheticChain,
  type SyntheticOptions,
  syntheticAccount,
} from "./testing/synthetic-chain.ts";
