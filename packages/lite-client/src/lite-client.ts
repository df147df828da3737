import type { DecodedAccount } from "@chain-query/format/accounts";
import type { Cell } from "@chain-query/format/cells";
import type { AccountId, BlockId, ShardId, TransactionId } from "@chain-query/format/identifiers";
import type { DecodedTransaction } from "@chain-query/format/transactions";

/** A masterchain block that the client trusts. */
export interface LiteHead {
  readonly block: BlockId;
  /** Unix seconds. */
  readonly time: number;
  readonly endLt: bigint;
  readonly stateRootHash: Uint8Array;
}

/** A block as its header tells. */
export interface LiteBlock {
  readonly id: BlockId;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly stateRootHash: Uint8Array;
}

/** An account as of a masterchain block. */
export interface LiteAccount {
  /** Undefined if the account does not exist in this state. */
  readonly account: DecodedAccount | undefined;
  /** The last transaction; lt 0 and 32 zero bytes if it has no transactions. */
  readonly last: TransactionId;
  /** The masterchain block as of which this holds. */
  readonly block: LiteBlock;
}

/** A transaction with the block that holds it. */
export interface LiteTransaction extends DecodedTransaction {
  readonly account: AccountId;
  readonly cell: Cell;
  readonly block: BlockId;
}

/** The number of messages in the outbound queue of a shard. */
export interface LiteQueueSize {
  readonly block: BlockId;
  readonly size: number;
}

/** An internal message. */
export interface LiteMessageKey {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

export type LiteBlockSelector = { readonly seqno: number } | { readonly lt: bigint } | { readonly time: number };

/** Options of a read. */
export interface LiteReadOptions {
  /** Reads as of this masterchain block; default: the head. */
  readonly at?: BlockId | undefined;
  /** Also servers that keep the whole history may be asked; default: false. */
  readonly archival?: boolean | undefined;
  /** Ends the read; default: the time limit of the client's options. */
  readonly signal?: AbortSignal | undefined;
}

/** What is known of one server. */
export interface LiteServerStatus {
  /** The first 8 hexadecimal digits of its key's id. */
  readonly name: string;
  readonly state: "connecting" | "ready" | "failing" | "quarantined";
  /** Its newest masterchain block; undefined before the first. */
  readonly seqno: number | undefined;
  /** Seconds by which its blocks arrive later than the first server's. */
  readonly lag: number | undefined;
  /** Milliseconds, averaged with more weight on recent answers. */
  readonly latency: number | undefined;
  readonly inFlight: number;
  /** Why it is failing or in quarantine. */
  readonly reason: string | undefined;
}

/**
 * Reads a network through its lite servers. A read asks one server, and another one if the answer is missing or wrong. All reads throw a
 * `LiteError`.
 */
export interface LiteClient extends AsyncDisposable {
  /** The zero state of the configuration. */
  readonly zeroState: BlockId;
  /** The newest trusted masterchain block; undefined before the first. Never goes back. */
  readonly head: LiteHead | undefined;
  /** The newest trusted masterchain block that most servers have; at most the head. Never goes back. */
  readonly consensus: LiteHead | undefined;
  readonly servers: readonly LiteServerStatus[];
  /** Resolves with the head as soon as there is one with at least this number; default: any. */
  waitForHead(options?: { readonly seqno?: number; readonly signal?: AbortSignal }): Promise<LiteHead>;
  /** Calls `onHead` with each new head, until the returned function is called. */
  watchHead(onHead: (head: LiteHead) => void): () => void;
  getAccount(account: AccountId, options?: LiteReadOptions): Promise<LiteAccount>;
  /** A block by number, the first whose end lt is at or above an lt, or the first at or after a time; undefined if it does not exist yet. */
  lookupBlock(shard: ShardId, selector: LiteBlockSelector, options?: LiteReadOptions): Promise<LiteBlock | undefined>;
  /** The newest block of each shard as of the head, the masterchain first, then by shard. */
  getShards(options?: LiteReadOptions): Promise<readonly BlockId[]>;
  getQueueSizes(options?: LiteReadOptions): Promise<readonly LiteQueueSize[]>;
  /** Newest first, beginning with `from`; each one's hash is what the one before it says. Fewer than `limit` only at the account's first. */
  getTransactions(
    account: AccountId,
    from: TransactionId,
    limit: number,
    options?: LiteReadOptions,
  ): Promise<readonly LiteTransaction[]>;
  /** The transaction that sent a message; undefined if it does not exist. */
  findSender(message: LiteMessageKey, options?: LiteReadOptions): Promise<LiteTransaction | undefined>;
  /** The transaction that received a message; undefined if it does not exist as of the head. */
  findReceiver(message: LiteMessageKey, options?: LiteReadOptions): Promise<LiteTransaction | undefined>;
  /** A block as a bag of cells, whose root hash was checked. */
  getBlock(id: BlockId, options?: LiteReadOptions): Promise<Uint8Array>;
  close(): Promise<void>;
}
