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
export { firstWallet } from "./genesis/first-wallet.ts";
export { ChainOptionError, type ChainOptions } from "./genesis/options.ts";
export { openProducer, type ProducedStep, type Producer, type StepOptions } from "./production/producer.ts";
export { openChain } from "./reading/open-chain.ts";
export { ChainStoreError } from "./store/store-error.ts";
export { ChainFault } from "./verify/fault.ts";
export { type Verified, verifyChain } from "./verify/verify-chain.ts";
