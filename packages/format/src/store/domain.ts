/**
 * The types that readers of a chain return. Logical times are bigints, hashes are 32 bytes, amounts are bigints in the smallest unit,
 * times are whole Unix seconds.
 */
import type { AccountStatus, DecodedAccount } from "../accounts.ts";
import type { ExtraCurrency } from "../currencies.ts";
import { OperationalError } from "../error.ts";
import type { AccountId, BlockId, BlockSelector, ShardId, TransactionId } from "../identifiers.ts";
import type { Comment, DecodedMessage } from "../messages.ts";
import type { DecodedTransaction } from "../transactions.ts";

export type { AccountId, AccountStatus, BlockId, BlockSelector, Comment, ExtraCurrency, ShardId, TransactionId };

/** A block without its content. `startLt` ≤ the lt of everything in it < `endLt`. */
export interface BlockHeader {
  readonly id: BlockId;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly time: number;
  readonly stateRootHash: Uint8Array;
  /** The previous block of the shard; the zero state for the first one. */
  readonly previous: BlockId;
  /** The masterchain block that commits it; its own number for a masterchain block. */
  readonly masterchainSeqno: number;
  readonly transactionCount: number;
  /** Messages in the shard's outbound queue after this block; undefined if the source of the block does not have the size. */
  readonly queueSize: number | undefined;
}

/** A zero state as block 0 of its shard. Its previous block is block 0 again. */
export function zeroStateHeader(id: BlockId, time: number): BlockHeader {
  const empty = { startLt: 0n, endLt: 0n, masterchainSeqno: 0, transactionCount: 0, queueSize: 0 };
  return { id, ...empty, time, stateRootHash: id.rootHash, previous: id };
}

/** The newest masterchain block. */
export interface ChainHead {
  readonly block: BlockHeader;
  /** Transactions from genesis to this block, in all shards. */
  readonly transactionCount: bigint;
}

/** A message of a transaction. */
export interface Message extends Omit<DecodedMessage, "body" | "initState"> {
  /** Bag of cells. */
  readonly body: Uint8Array;
  /** Bag of cells; absent if the message deploys nothing. */
  readonly initState?: Uint8Array;
}

/** A transaction, decoded from its cell. `fee` = `storageFee` + other fees, with the fees of the messages that it sent. */
export interface ChainTransaction extends Omit<DecodedTransaction, "accountHash" | "totalFees" | "inMessage" | "outMessages"> {
  readonly account: AccountId;
  /** Bag of cells of the transaction itself. */
  readonly data: Uint8Array;
  /** Absent in a tick-tock transaction. */
  readonly inMessage?: Message;
  /** In order of creation: the i-th has createdLt = lt + 1 + i. */
  readonly outMessages: readonly Message[];
  /** The masterchain block that committed it. */
  readonly masterchainSeqno: number;
}

/**
 * An account as of a masterchain block. An account that does not exist, or was deleted, is uninitialized and empty, without a last
 * transaction.
 */
export interface ChainAccount extends Omit<DecodedAccount, "code" | "data" | "libraries"> {
  readonly account: AccountId;
  /** Bags of cells; absent unless the account is active. */
  readonly code?: Uint8Array;
  readonly data?: Uint8Array;
  /** lt 0 and 32 zero bytes if the account does not exist or has no transaction. */
  readonly last: TransactionId;
  /** The masterchain block as of which this was read. */
  readonly block: BlockHeader;
}

/** The identity of an internal message. */
export interface MessageKey {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

/** A chain's store cannot be read or written. The message is one line: what is wrong, where, and what is accepted. */
export class ChainStoreError extends OperationalError {
  override readonly name = "ChainStoreError";
  override readonly isUserError = true;
}
