/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */
import type { BlockId, ConsensusBlock, ExtraCurrency, FullAccountState, LocatedMessage, LocatedTransaction, MasterchainInfo, Message, OutMsgQueueSize, OutMsgQueueSizes, Transaction, TransactionId, Transactions } from "./openapi.gen.ts";

/** Other types for some members. It is mapped, so that editors show the comments of the members. */
type Replaced<Type, Others> = { [Name in keyof Type]: Name extends keyof Others ? Others[Name] : Type[Name] };

/**
 * An amount of a currency other than the chain's own. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintExtraCurrency): void => console.log(it.amount);
 * ```
 */
export interface BigintExtraCurrency extends Replaced<ExtraCurrency, {
  amount: bigint;
}> {}

/**
 * Identifier of a transaction within the history of its account. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintTransactionId): void => console.log(it.lt);
 * ```
 */
export interface BigintTransactionId extends Replaced<TransactionId, {
  lt: bigint;
}> {}

/**
 * Identifier of a block, complete enough to prove its content. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintBlockId): void => console.log(it.shard);
 * ```
 */
export interface BigintBlockId extends Replaced<BlockId, {
  shard: bigint;
}> {}

/**
 * State of an account as of a masterchain block. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintFullAccountState): void => console.log(it.balance);
 * ```
 */
export interface BigintFullAccountState extends Replaced<FullAccountState, {
  balance: bigint;
  extra_currencies: BigintExtraCurrency[];
  last_transaction_id: BigintTransactionId;
  block_id: BigintBlockId;
}> {}

/**
 * Head of the masterchain. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintMasterchainInfo): void => console.log(it.last);
 * ```
 */
export interface BigintMasterchainInfo extends Replaced<MasterchainInfo, {
  last: BigintBlockId;
  init: BigintBlockId;
}> {}

/**
 * Size of the outbound message queue of one shard. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintOutMsgQueueSize): void => console.log(it.id);
 * ```
 */
export interface BigintOutMsgQueueSize extends Replaced<OutMsgQueueSize, {
  id: BigintBlockId;
}> {}

/**
 * Sizes of the outbound message queues of all shards. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintOutMsgQueueSizes): void => console.log(it.shards);
 * ```
 */
export interface BigintOutMsgQueueSizes extends Replaced<OutMsgQueueSizes, {
  shards: BigintOutMsgQueueSize[];
}> {}

/**
 * A message as the listing of an account's transactions shows it. A comment is in msg_data; the member message is only on a message of the locate operations. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintMessage): void => console.log(it.value);
 * ```
 */
export interface BigintMessage extends Replaced<Message, {
  value: bigint;
  extra_currencies: BigintExtraCurrency[];
  fwd_fee: bigint;
  ihr_fee: bigint;
  created_lt: bigint;
}> {}

/**
 * A transaction as the listing of an account's transactions shows it. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintTransaction): void => console.log(it.transaction_id);
 * ```
 */
export interface BigintTransaction extends Replaced<Transaction, {
  transaction_id: BigintTransactionId;
  fee: bigint;
  storage_fee: bigint;
  other_fee: bigint;
  in_msg: BigintMessage;
  out_msgs: BigintMessage[];
}> {}

/**
 * One page of an account's transactions, newest first. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintTransactions): void => console.log(it.transactions);
 * ```
 */
export interface BigintTransactions extends Replaced<Transactions, {
  transactions: BigintTransaction[];
  previous_transaction_id: BigintTransactionId;
}> {}

/**
 * A message as the locate operations show it. Source, destination and created_lt together identify it. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintLocatedMessage): void => console.log(it.value);
 * ```
 */
export interface BigintLocatedMessage extends Replaced<LocatedMessage, {
  value: bigint;
  extra_currencies: BigintExtraCurrency[];
  fwd_fee: bigint;
  ihr_fee: bigint;
  created_lt: bigint;
}> {}

/**
 * A transaction as the locate operations show it. Logical times, shards and amounts are bigints.
 *
 * @example
 * ```ts
 * const show = (it: BigintLocatedTransaction): void => console.log(it.transaction_id);
 * ```
 */
export interface BigintLocatedTransaction extends Replaced<LocatedTransaction, {
  transaction_id: BigintTransactionId;
  fee: bigint;
  storage_fee: bigint;
  other_fee: bigint;
  in_msg: BigintLocatedMessage;
  out_msgs: BigintLocatedMessage[];
}> {}

/**
 * The result of each operation, with bigints.
 *
 * @example
 * ```ts
 * const worth = ({ balance }: BigintResults["getAddressInformation"]): boolean => balance > 1_000_000_000n;
 * ```
 */
export interface BigintResults {
  getAddressInformation: BigintFullAccountState;
  getConsensusBlock: ConsensusBlock;
  getMasterchainInfo: BigintMasterchainInfo;
  getOutMsgQueueSize: BigintOutMsgQueueSizes;
  getTransactionsStd: BigintTransactions;
  lookupBlock: BigintBlockId;
  tryLocateResultTx: BigintLocatedTransaction;
  tryLocateSourceTx: BigintLocatedTransaction;
}

/**
 * The type of a value of a response, such as a transaction or a list of them, with bigints.
 *
 * @example
 * ```ts
 * const newest = (all: BigintOf<Transaction[]>): bigint | undefined => all[0]?.fee;
 * ```
 */
export type BigintOf<Value> = Value extends readonly (infer Item)[]
  ? BigintOf<Item>[]
  : Value extends FullAccountState
  ? BigintFullAccountState
  : Value extends ExtraCurrency
  ? BigintExtraCurrency
  : Value extends TransactionId
  ? BigintTransactionId
  : Value extends BlockId
  ? BigintBlockId
  : Value extends MasterchainInfo
  ? BigintMasterchainInfo
  : Value extends OutMsgQueueSizes
  ? BigintOutMsgQueueSizes
  : Value extends OutMsgQueueSize
  ? BigintOutMsgQueueSize
  : Value extends Transactions
  ? BigintTransactions
  : Value extends Message
  ? BigintMessage
  : Value extends Transaction
  ? BigintTransaction
  : Value extends LocatedTransaction
  ? BigintLocatedTransaction
  : Value extends LocatedMessage
  ? BigintLocatedMessage
  : Value;
