export { ChainStoreError } from "@chain-query/chain-store";
export type {
  AccountId,
  AccountState,
  AccountStatus,
  BlockHeader,
  BlockId,
  BlockSelector,
  ChainReader,
  Comment,
  ExtraCurrency,
  Head,
  HistoryRange,
  Message,
  MessageKey,
  MessageTrace,
  ShardId,
  Transaction,
  TransactionId,
} from "./domain.ts";
export { createChain } from "./genesis/create-chain.ts";
export { ChainOptionError, type ChainOptions } from "./genesis/options.ts";
export { firstWallet } from "./genesis/population.ts";
export { openProducer } from "./open-producer.ts";
export type { ProducedStep, Producer, StepOptions } from "./production/producer.ts";
export { openChain } from "./reading/chain-reader.ts";
export { chainSteps } from "./reading/chain-steps.ts";
export { liteChain } from "./reading/lite-chain.ts";

export { ChainFault } from "./verify/fault.ts";
export { type Verified, verifyChain } from "./verify/verify-chain.ts";
