/**
 * The words of a chain, as its readers use them: logical times are bigints, hashes 32 bytes, amounts bigints in the smallest
 * unit, times whole Unix seconds. Nothing here knows of HTTP or JSON.
 */
import type { AccountStatus } from "@chain-query/format/accounts";
import type { ExtraCurrency } from "@chain-query/format/currencies";
import type { AccountId, BlockId, ShardId, TransactionId } from "@chain-query/format/identifiers";
import type { Comment, DecodedMessage } from "@chain-query/format/messages";
import type { DecodedTransaction } from "@chain-query/format/transactions";

export type { AccountId, AccountStatus, BlockId, Comment, ExtraCurrency, ShardId, TransactionId };

/** What is known of a block without opening it. `startLt` ≤ the lt of everything in it < `endLt`. */
export interface BlockHeader {
  readonly id: BlockId;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly time: number;
  readonly stateRootHash: Uint8Array;
  /** The block it follows; the first one follows the zero state. */
  readonly previous: BlockId;
  /** The masterchain block that commits it; its own number for a masterchain block. */
  readonly masterchainSeqno: number;
  readonly transactionCount: number;
  /** Messages that wait in the shard's outbound queue after this block. */
  readonly queueSize: number;
}

/** The newest masterchain block, and how much the chain holds up to it. */
export interface Head {
  readonly block: BlockHeader;
  /** Transactions from genesis to this block, in all shards. */
  readonly transactionCount: bigint;
}

/** A message as it stands in a transaction. */
export interface Message extends Omit<DecodedMessage, "body" | "initState"> {
  /** Bag of cells. */
  readonly body: Uint8Array;
  /** Bag of cells; absent where the message deploys nothing. */
  readonly initState?: Uint8Array;
}

/** A transaction, decoded from its cell. `fee` = `storageFee` + other fees, and counts the forward fees of what it sent. */
export interface Transaction extends Omit<DecodedTransaction, "accountHash" | "totalFees" | "inMessage" | "outMessages"> {
  readonly account: AccountId;
  /** Bag of cells of the transaction itself. */
  readonly data: Uint8Array;
  /** Absent where the clock started it (tick-tock). */
  readonly inMessage?: Message;
  /** In order of creation: the i-th has createdLt = lt + 1 + i. */
  readonly outMessages: readonly Message[];
  /** The masterchain block that committed it. */
  readonly masterchainSeqno: number;
}

/** An account as of a masterchain block. One never seen is uninitialized, empty, with no last transaction. */
export interface AccountState {
  readonly account: AccountId;
  readonly status: AccountStatus;
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  /** Bags of cells; absent where there is none. */
  readonly code?: Uint8Array;
  readonly data?: Uint8Array;
  /** Of a frozen account: the hash of the state it had. */
  readonly frozenHash?: Uint8Array;
  /** lt 0 and 32 zero bytes where there is none. */
  readonly last: TransactionId;
  /** The masterchain block as of which this was read. */
  readonly block: BlockHeader;
}

/** One of the ways to name a block of a shard. */
export type BlockSelector = { readonly seqno: number } | { readonly lt: bigint } | { readonly time: number };

/** What names a message: source, destination and the logical time of its creation. */
export interface MessageKey {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

/** What is known of a message: nothing (no such message), the transaction that produced it, and later the one that consumed it. */
export interface MessageTrace {
  readonly producer?: Transaction;
  readonly consumer?: Transaction;
}

/** From where, and down to where, a history is read. */
export interface HistoryRange {
  /**
   * The first transaction to come; the account's newest where absent. None comes where the account has no transaction of just this
   * logical time. Its hash is the caller's to compare.
   */
  readonly fromLt?: bigint;
  /** Transactions with a logical time at or below are left out; 0 leaves none out. */
  readonly aboveLt?: bigint;
}

/**
 * Reads a chain. Every answer comes from whole blocks, and from an index: none scans. Calls of one turn of the event loop see the
 * same head. A number that nothing on a chain can have finds nothing. All methods throw `ChainStoreError` where the store cannot be
 * read or was closed, and a RangeError for a workchain that is no signed 32-bit integer.
 */
export interface ChainReader {
  head(): Head;
  /** The zero state: workchain -1, seqno 0. */
  genesis(): { readonly block: BlockId; readonly time: number };
  /** The state as of a masterchain block, by default the head. Undefined where that block lies in the future. */
  account(account: AccountId, asOfSeqno?: number): AccountState | undefined;
  /** Newest first. */
  transactions(account: AccountId, range?: HistoryRange): IterableIterator<Transaction>;
  transaction(account: AccountId, lt: bigint): Transaction | undefined;
  /**
   * The block of a shard by number, the one that contains a logical time (the first whose end lies at or above it), or the first at
   * or after a time. A shard that is not among the chain's stands for those that it contains or that contain it. Undefined past the head.
   */
  block(shard: ShardId, selector: BlockSelector): BlockHeader | undefined;
  /** The block as a bag of cells. */
  blockData(id: ShardId & { readonly seqno: number }): Uint8Array | undefined;
  /** The newest committed block of each shard, the masterchain first, then by shard. */
  shards(): readonly BlockHeader[];
  locate(message: MessageKey): MessageTrace;
  /** History before this time is archival: the head's time less the retention (two days unless the chain was made with another). */
  retainedSince(): number;
  close(): Promise<void>;
}
