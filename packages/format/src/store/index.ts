export { ACCOUNT_BYTES, accountKey, accountOf, orderedWorkchain, putAccount } from "./account-key.ts";
export type { AccountProofOptions, AnswerProofs, KeyLink, SignedHeader, TransactionPlace } from "./answer-proofs.ts";
export {
  ABSENT_ACCOUNT,
  type AccountVersion,
  type CellOf,
  cellsOfTransaction,
  decodeAccount,
  decodeStoredTransaction,
  type KeepCell,
  storedAccount,
  storedTransaction,
} from "./cell-records.ts";
export {
  type BlockSummary,
  ChainReadError,
  type ChainReader,
  type Head,
  type HistoryRange,
  isArchival,
  type NewestTransactions,
  type ReadAccount,
  type ReadTransaction,
  type ShardQueue,
} from "./chain-reader.ts";
export { type Checks, storeChecks } from "./checks.ts";
export {
  type AccountId,
  type AccountStatus,
  type BlockHeader,
  type BlockId,
  type BlockSelector,
  type ChainAccount,
  type ChainHead,
  ChainStoreError,
  type ChainTransaction,
  type Comment,
  type ExtraCurrency,
  type Message,
  type MessageKey,
  type ShardId,
  type TransactionId,
  zeroStateHeader,
} from "./domain.ts";
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
export {
  changesOfAccounts,
  isFirstChange,
  isUnchangedSince,
  type OldestStep,
  readStepTransactions,
  type Step,
  type StepAccount,
  type StepBlock,
  type StepGenesis,
  type StepRange,
  type StepSource,
  type StepTransaction,
} from "./step.ts";
export { configAccount, type SuspendedList, type SuspendedLists, suspendedLists } from "./suspended.ts";
