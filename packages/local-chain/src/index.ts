export type { LocalChain, TransactionRange } from "./domain.ts";
export { createChain } from "./genesis/create-chain.ts";
export { ChainOptionError, type ChainOptions } from "./genesis/options.ts";
export { firstWallet } from "./genesis/population.ts";
export { openProducer, type ProducedStep, type Producer, type StepOptions } from "./production/producer.ts";
export { openChain } from "./reading/chain-reader.ts";
export { chainSteps } from "./reading/chain-steps.ts";
export { ChainFault } from "./verify/compared-tables.ts";
export { type Verified, verifyChain } from "./verify/verify-chain.ts";
