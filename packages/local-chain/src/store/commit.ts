import type { Cell } from "@chain-query/format/cells";
import type { AccountId, BlockHeader, BlockId } from "../domain.ts";

/** A transaction as its block holds it. Everything that readers learn of it is decoded from this cell, never from a copy. */
export interface TransactionCommit {
  readonly account: AccountId;
  readonly cell: Cell;
  /** The cell as a bag of cells, where the producer has one at hand (the executor's own bytes); made from the cell otherwise. */
  readonly boc?: Uint8Array;
}

/** The newest version of an account: one for each account that a commit touched, whatever the number of its transactions. */
export interface AccountCommit {
  readonly account: AccountId;
  /** A `ShardAccount`: reference to the `Account`, then hash and lt of its last transaction. */
  readonly shardAccount: Cell;
  /** The same cell as a bag of cells, where the producer has one at hand. */
  readonly boc?: Uint8Array;
}

/** One block and what is in it. */
export interface BlockCommit {
  readonly id: BlockId;
  /** The bag of cells whose sha256 is the id's file hash. */
  readonly boc: Uint8Array;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly stateRootHash: Uint8Array;
  readonly previous: BlockId;
  /** Messages in the shard's outbound queue after this block. */
  readonly queueSize: number;
  /** Each exactly once; for one account by rising lt. */
  readonly transactions: readonly TransactionCommit[];
}

/** Sums since genesis, in the smallest unit. They must balance: genesis value + minted - burnt = balances + value in flight. */
export interface ChainTotals {
  readonly minted: bigint;
  readonly burnt: bigint;
}

/**
 * Records that only the producer understands (queues, pools, counters), kept so that it can go on after a restart. A commit names
 * the records that changed and no others, so that a long queue costs only what moves in it.
 */
export interface ProducerState {
  readonly put?: ReadonlyMap<string, Uint8Array>;
  readonly remove?: readonly string[];
}

/** One step of the chain, which the store takes whole or not at all: a masterchain block and the shard blocks that it commits. */
export interface ChainCommit {
  readonly masterchain: BlockCommit;
  /** By shard, then by seqno. */
  readonly shards: readonly BlockCommit[];
  readonly accounts: readonly AccountCommit[];
  readonly totals: ChainTotals;
  readonly producer: ProducerState;
}

/** A zero state: seqno 0 of its shard, named by the hash of its root cell and of its bytes. */
export interface ZeroState {
  readonly id: BlockId;
  readonly boc: Uint8Array;
}

/** What a chain begins with. */
export interface ChainGenesis {
  /** What the chain was made from (seed, number of accounts, intervals ...), kept as JSON and given back as it is. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** Unix seconds. */
  readonly time: number;
  /** Seconds of chain time after which history is archival. */
  readonly retentionSeconds: number;
  readonly masterchain: ZeroState;
  readonly shards: readonly ZeroState[];
  /** Every account that exists at genesis. */
  readonly accounts: Iterable<AccountCommit>;
  readonly producer: ProducerState;
}

/** What the store gives back to a producer that goes on, or to who wants to know whether it could. */
export interface ChainStoreContents {
  readonly genesis: Omit<ChainGenesis, "accounts" | "producer">;
  /** The newest block of each shard, the masterchain first; a zero state counts as block 0, with lts 0. */
  readonly tips: readonly BlockHeader[];
  readonly totals: ChainTotals;
  /** The newest `ShardAccount` of one account as a bag of cells; undefined where there never was one. */
  account(account: AccountId): Uint8Array | undefined;
  /** The newest `ShardAccount` of every account as a bag of cells, by workchain (signed), then by hash. */
  accounts(): IterableIterator<{ readonly account: AccountId; readonly boc: Uint8Array }>;
  producerRecord(key: string): Uint8Array | undefined;
  /** All producer's records whose key begins with a prefix, by key. */
  producerRecords(prefix: string): IterableIterator<readonly [string, Uint8Array]>;
}

/** The store of a chain for the one process that writes it. */
export interface ChainStoreWriter extends ChainStoreContents {
  /**
   * Takes one step. Resolves when readers see it; steps become visible in the order of the calls, and the next one may be made
   * before the promise settles. Rejects with a `ChainStoreError` where it could not be written; then the store is as it was
   * before this step, and takes no other.
   */
  commit(step: ChainCommit): Promise<void>;
  /** Ends after the last commit, and frees the chain for another writer. */
  close(): Promise<void>;
}
