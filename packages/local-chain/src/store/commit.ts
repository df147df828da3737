import type { Cell } from "@chain-query/format/cells";
import type { AccountId, BlockHeader, BlockId, Step, StepAccount, StepBlock } from "@chain-query/format/store";

/** The new version of an account: one for each account that a step changed. */
export interface AccountCommit extends StepAccount {
  /** The cell as a bag of cells, if the producer has it already. */
  readonly boc?: Uint8Array;
}

/** A block with its transactions. */
export interface BlockCommit extends StepBlock {
  /** The bag of cells whose sha256 is the id's file hash. */
  readonly boc: Uint8Array;
  /** The state after it without its large parts, see `encodePrunedState`. */
  readonly state: Cell;
  /** If it is not the last block of its shard in the step: the accounts that it changed. */
  readonly accounts?: readonly AccountCommit[];
}

/** Changes of the producer's state (queues, pools, counters), from which it resumes: see producer-state.ts. */
export interface ProducerState {
  readonly put?: ReadonlyMap<string, Uint8Array>;
  readonly remove?: readonly string[];
}

/** One step of the chain: a masterchain block and the shard blocks that it commits. Written atomically. */
export interface ChainCommit extends Step {
  readonly masterchain: BlockCommit;
  /** By shard, then by seqno. */
  readonly shards: readonly BlockCommit[];
  readonly accounts: readonly AccountCommit[];
  /** Fees since genesis that the masterchain collected or burned: genesis value - burnt = balances + value in flight. */
  readonly burnt: bigint;
  readonly producer: ProducerState;
}

/** The state of a shard before its first block. It has the id of a block with seqno 0. */
export interface ZeroState {
  readonly id: BlockId;
  readonly boc: Uint8Array;
}

/** The content of a new chain. */
export interface ChainGenesis {
  /** The options that the chain was made from, stored as JSON. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** Unix seconds. */
  readonly time: number;
  /** Seconds of chain time after which history is archival. */
  readonly retentionSeconds: number;
  readonly masterchain: ZeroState;
  readonly shards: readonly ZeroState[];
  /** Every account of the zero states. */
  readonly accounts: Iterable<AccountCommit>;
  readonly producer: ProducerState;
}

/** The part of the store from which a producer resumes. */
export interface ChainStoreContents {
  /** As in `ChainGenesis`. */
  readonly options: ChainGenesis["options"];
  /** The newest block of each shard, the masterchain first; a zero state counts as block 0, with lts 0. */
  readonly tips: readonly BlockHeader[];
  readonly burnt: bigint;
  /** The newest `ShardAccount` of an account as a bag of cells; undefined if it never existed. */
  account(account: AccountId): Uint8Array | undefined;
  /** The newest `ShardAccount` of every account as a bag of cells, by workchain (signed), then by hash. */
  accounts(): IterableIterator<{ readonly account: AccountId; readonly boc: Uint8Array }>;
  /**
   * The end lt of the newest block of an account's shard that a masterchain block knew; its own in the masterchain. 0 for zero states.
   *
   * @param seqno - Of the masterchain block.
   */
  shardEndLt(account: AccountId, seqno: number): bigint;
  producerRecord(key: string): Uint8Array | undefined;
  /** The producer's records whose key begins with a prefix, by key. */
  producerRecords(prefix: string): IterableIterator<readonly [string, Uint8Array]>;
}

/** The store of a chain, opened by its one writer. */
export interface ChainStoreWriter extends ChainStoreContents {
  /**
   * Writes steps atomically. Resolves when they are on disk and visible to readers. Rejects with a `ChainStoreError` if they cannot be
   * written; the store is then unchanged and accepts no further step.
   */
  commit(...steps: readonly ChainCommit[]): Promise<void>;
  /** Releases the chain for another writer. */
  close(): Promise<void>;
}
