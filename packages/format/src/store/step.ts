/** A chain as steps, in the form that stores write. */

import { NO_ACCOUNT } from "../accounts.ts";
import { readTransactions } from "../blocks/index.ts";
import { type Cell, isEqual } from "../cells/index.ts";
import { containsAccount } from "../identifiers.ts";
import { readTransactionHeader } from "../transactions.ts";
import { accountKey } from "./account-key.ts";
import type { AccountId, BlockHeader, BlockId } from "./domain.ts";

/** A transaction of a block. Readers decode all fields from its cell. */
export interface StepTransaction {
  readonly account: AccountId;
  readonly cell: Cell;
}

/** The new version of an account: one for each account that a step changed. */
export interface StepAccount {
  readonly account: AccountId;
  /** TL-B ShardAccount. */
  readonly shardAccount: Cell;
  /** TL-B ShardAccount before the step, if this is the first change since the `firstTips` of the range of an account that existed then. */
  readonly before?: Cell;
}

/** A block with its transactions. */
export interface StepBlock extends Omit<BlockHeader, "masterchainSeqno" | "transactionCount"> {
  /** Those of one account by rising lt. */
  readonly transactions: readonly StepTransaction[];
}

/** One step of a chain: a masterchain block and the shard blocks that it commits. Stores write it atomically. */
export interface Step {
  readonly masterchain: StepBlock;
  /** By shard, then by seqno. */
  readonly shards: readonly StepBlock[];
  readonly accounts: readonly StepAccount[];
}

/** The zero states of a chain. */
export interface StepGenesis {
  /** Unix seconds. */
  readonly time: number;
  /** Seconds of chain time after which history is archival. */
  readonly retentionSeconds: number;
  /** Ids of the zero states. */
  readonly masterchain: BlockId;
  readonly shards: readonly BlockId[];
  /** Every account of the zero states. */
  accounts(): AsyncIterable<StepAccount>;
}

/** Steps by the seqno of their masterchain block, both ends included. */
export interface StepRange {
  /** At least 1. */
  readonly from: number;
  /** Without it, the iteration waits for each next step. */
  readonly to?: number;
  /** The newest block of each shard before `from`, if the reader has them: the sizes of queues are counted from theirs. */
  readonly tips?: readonly Pick<BlockHeader, "id" | "queueSize">[];
  /** The newest block of each shard before the first step of an index that begins late. */
  readonly firstTips?: readonly BlockHeader[] | undefined;
}

/** The oldest step that a source has. */
export interface OldestStep {
  readonly seqno: number;
  /** Unix seconds of its masterchain block. */
  readonly time: number;
}

/** A chain that can be read step by step, such as one in a folder, or a network behind lite servers. */
export interface StepSource {
  genesis(): Promise<StepGenesis>;
  /** The newest step that can be read now: the seqno of a masterchain block. Never goes back. */
  newest(): Promise<number>;
  /** Searches the oldest step whose blocks and states can be read without archival servers; undefined if it is not found out. */
  findOldest?(): Promise<OldestStep | undefined>;
  /** The newest block of each shard after a step, the masterchain first. Step 0 is the zero state. Fails if its states cannot be read. */
  tips(step: number): Promise<readonly BlockHeader[]>;
  /** The first step at or after a time in Unix seconds, at most the newest one. */
  stepAt(time: number): Promise<number>;
  /** Throws the reason of the signal when it is aborted. */
  steps(range: StepRange, signal: AbortSignal): AsyncIterable<Step>;
  close(): Promise<void>;
}

/**
 * Reads the transactions of a block, sorted by account, then by lt.
 *
 * @param block - The block's root cell.
 * @throws CellError if the cell does not hold a block.
 */
export function readStepTransactions(block: Cell, workchain: number): StepTransaction[] {
  return Array.from(readTransactions(block), ({ account: hash, cell }) => ({ account: { workchain, hash }, cell }));
}

/**
 * Whether a transaction is the first one of its account after some blocks, and the account existed then.
 *
 * @param tips - The newest block of each shard.
 */
export function isFirstChange(tips: readonly BlockHeader[], { account, cell }: StepTransaction): boolean {
  const { oldStateHash, previousLt } = readTransactionHeader(cell);
  return !isEqual(oldStateHash, NO_ACCOUNT.hash) && isUnchangedSince(tips, account, previousLt);
}

/** Whether an account has not changed after some blocks. @param lastLt - Of its last transaction; 0 if it has none. */
export function isUnchangedSince(tips: readonly BlockHeader[], account: AccountId, lastLt: bigint): boolean {
  const tip = tips.find(({ id }) => containsAccount(id, account));
  return lastLt === 0n || (tip !== undefined && lastLt < tip.endLt);
}

/**
 * The first and the last transaction of each account in blocks of a step. These are the accounts that the step changes.
 *
 * @param blocks - Those of a shard by rising seqno.
 */
export function changesOfAccounts(
  blocks: readonly Pick<StepBlock, "transactions">[],
): { readonly first: StepTransaction; readonly last: StepTransaction }[] {
  const changes = new Map<string, { readonly first: StepTransaction; readonly last: StepTransaction }>();
  for (const { transactions } of blocks) {
    for (const last of transactions) {
      const key = accountKey(last.account).toString("latin1");
      changes.set(key, { first: changes.get(key)?.first ?? last, last });
    }
  }
  return Array.from(changes.values());
}
