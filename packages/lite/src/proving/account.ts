/** Proofs from the trees of states, which may be those that other proofs show. */
import { decodeAccount, isSuspended, readSuspendedList } from "@chain-query/format/accounts";
import type { Cell } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  NO_TRANSACTION,
  namedBlock,
  type ShardId,
  shardName,
  smallestShard,
  type TransactionId,
} from "@chain-query/format/identifiers";
import {
  lookUpAccount,
  lookUpShard,
  readMasterchainParts,
  readQueueSize,
  readState,
  readStateShards,
  type ShardTop,
} from "@chain-query/format/states";
import { type Proved, proofCache, prove } from "./proofs.ts";

/** The state after a block, and the proof of the block's header before it. A zero state has no header. */
export interface StateTrees {
  readonly headers: readonly Cell[];
  readonly state: Cell;
}

export interface ProvedAccountCells {
  readonly cells: readonly Cell[];
  /** The last transaction; lt 0 without an account. */
  readonly last: TransactionId;
}

/**
 * Proves an account or its absence, from the state of the masterchain on.
 *
 * @param hasState - Whether the account's contents are shown, without code and data, and whether the configuration suspends it.
 * @param ofShard - The trees of the newest block of the account's shard.
 */
export function proveAccount(
  master: Cell,
  account: AccountId,
  hasState: boolean,
  ofShard: (block: BlockId) => StateTrees,
): ProvedAccountCells {
  let last = NO_TRANSACTION;
  const readAccount = (state: Cell): void => {
    const entry = lookUpAccount(state, account.hash);
    if (entry) last = entry.last;
    if (entry && hasState) decodeAccount(entry.account);
  };
  if (account.workchain === -1) {
    const { proof } = prove(master, (state) => {
      if (hasState) readSuspended(state, account);
      readAccount(state);
    });
    return { cells: [proof], last };
  }
  const { value: shard, proof } = proveShard(master, account, hasState);
  if (!shard) return { cells: [proof], last };
  const { headers, state } = ofShard(namedBlock(shard, shard.block));
  const { proof: ofState } = prove(state, readAccount);
  return { cells: [proof, ...headers, ofState], last };
}

function readSuspended(state: Cell, account: AccountId): void {
  isSuspended(readSuspendedList(readMasterchainParts(state).config), account, readState(state).time);
}

const shardProofs = proofCache<Proved<ShardTop | undefined>>();

/** Proves the shard of an account, and whether the configuration suspends it. */
function proveShard(master: Cell, account: AccountId, hasState: boolean): Proved<ShardTop | undefined> {
  const top = lookUpShard(readStateShards(master), smallestShard(account));
  const proveAgain = () =>
    prove(master, (state) => {
      if (hasState) readSuspended(state, account);
      return lookUpShard(readStateShards(state), smallestShard(account));
    });
  // A list of suspended accounts is read along another path for each account.
  const isShared = top !== undefined && !(hasState && readSuspendedList(readMasterchainParts(master).config));
  return isShared ? shardProofs(master, `${shardName(top)} ${hasState}`, proveAgain) : proveAgain();
}

/**
 * Proves the sizes of the queues of the masterchain and of shards.
 *
 * @param treesOf - The trees of the newest block of a shard.
 */
export function proveQueues(
  master: Cell,
  shards: readonly ShardId[],
  treesOf: (block: BlockId, index: number) => StateTrees | undefined,
): readonly Cell[] {
  const { value: tops, proof } = prove(master, (state) => {
    readQueueSize(state);
    return shards.map((shard) => lookUpShard(readStateShards(state), shard));
  });
  const ofShards = tops.flatMap((top, index) => {
    const trees = top && treesOf(namedBlock(top, top.block), index);
    return trees ? [...trees.headers, prove(trees.state, readQueueSize).proof] : [];
  });
  return [proof, ...ofShards];
}
