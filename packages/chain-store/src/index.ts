export { ACCOUNT_BYTES, accountKey, accountOf, orderedWorkchain, putAccount } from "./account-key.ts";
export { ChainStoreError } from "./chain-store-error.ts";
export {
  ABSENT_ACCOUNT,
  type AccountVersion,
  type CellOf,
  cellsOfAccount,
  cellsOfTransaction,
  decodeAccount,
  decodeStoredTransaction,
} from "./decode.ts";
export {
  type AccountId,
  type AccountState,
  type AccountStatus,
  type BlockHeader,
  type BlockId,
  type BlockSelector,
  type Comment,
  type ExtraCurrency,
  type Head,
  type Message,
  type MessageKey,
  type MessageTrace,
  type ShardId,
  type Transaction,
  type TransactionId,
  zeroStateHeader,
} from "./domain.ts";
export { type KeepCell, storedAccount, storedTransaction } from "./encode.ts";
export { type RecordIo, type RecordType, recordType } from "./record-io.ts";
export {
  accountRecord,
  blockId,
  cellRecord,
  headerRecord,
  list,
  type ShallowCell,
  type StoredAccount,
  type StoredMessage,
  type StoredRef,
  type StoredTransaction,
  transactionRecord,
} from "./records.ts";
export type { Step, StepAccount, StepBlock, StepGenesis, StepRange, StepSource, StepTransaction } from "./step.ts";
export { lastTransactions, readStepTransactions } from "./step-transactions.ts";
