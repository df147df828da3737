/** States of shards that split and merge. */
import { compareBytes } from "../cells/bytes.ts";
import type { Cell, Digest } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { addCurrencies, type Currencies } from "../currencies.ts";
import { Trie } from "../dictionaries/trie.ts";
import { childShards, containsAccount, intersects, parentShard, prefixLength } from "../identifiers.ts";
import { MESSAGE_QUEUE, type ProcessedUpto, type QueuedMessage } from "./message-queue.ts";
import { later, type ShardState } from "./shard-state.ts";

/** The states of both halves of a shard: accounts and messages are divided by prefix, fees in equal parts. */
export function splitState(state: ShardState): readonly [left: ShardState, right: ShardState] {
  const { shard, totalValidatorFees: fees } = state;
  const accounts = state.accounts.halves(prefixLength(shard.shard));
  const half = (i: 0 | 1): ShardState => {
    const child = childShards(shard)[i];
    return {
      ...state,
      shard: child,
      accounts: accounts[i],
      queue: queueOf([...state.queue].filter(([, { at }]) => containsAccount(child, at))),
      processed: compactProcessed(
        state.processed
          .filter((entry) => intersects({ ...child, shard: entry.shard }, child))
          .map((entry) => ({ ...entry, shard: smaller(entry.shard, child.shard) })),
      ),
      totalValidatorFees: halfOf(fees, i),
      isBeforeSplit: undefined,
      load: undefined,
    };
  };
  return [half(0), half(1)];
}

/** The state of the shard of which two shards are the halves. */
export function mergeStates(left: ShardState, right: ShardState): ShardState {
  return {
    ...left,
    shard: parentShard(left.shard),
    seqno: Math.max(left.seqno, right.seqno),
    time: Math.max(left.time, right.time),
    lt: later(left.lt, right.lt),
    minRefMasterchainSeqno: Math.min(left.minRefMasterchainSeqno, right.minRefMasterchainSeqno),
    queue: queueOf([...left.queue, ...right.queue]),
    processed: compactProcessed([...left.processed, ...right.processed]),
    accounts: left.accounts.joined(right.accounts),
    totalValidatorFees: addCurrencies(left.totalValidatorFees, right.totalValidatorFees),
    load: undefined,
  };
}

/**
 * The state before the first block after a merge. Halves that are given by their digests are pruned.
 *
 * TL-B `split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState`.
 */
export function buildSplitState(left: Digest, right: Digest): Cell {
  return new CellBuilder().uint(0x5f327da5, 32).ref(left).ref(right).prunedCell();
}

/** Drops entries that others include, and sorts the rest by shard and masterchain number. */
export function compactProcessed(entries: readonly ProcessedUpto[]): ProcessedUpto[] {
  const kept: ProcessedUpto[] = [];
  for (const entry of entries) {
    if (kept.some((other) => includes(other, entry))) continue;
    kept.splice(0, kept.length, ...kept.filter((other) => !includes(entry, other)), entry);
  }
  return kept.sort((a, b) =>
    a.shard === b.shard ? a.masterchainSeqno - b.masterchainSeqno : unsigned(a) < unsigned(b) ? -1 : 1,
  );
}

function includes(large: ProcessedUpto, small: ProcessedUpto): boolean {
  if (large.masterchainSeqno < small.masterchainSeqno || large.lastLt < small.lastLt) return false;
  if (large.lastLt === small.lastLt && compareBytes(large.lastHash, small.lastHash) < 0) return false;
  const isSmaller = prefixLength(large.shard) <= prefixLength(small.shard);
  return isSmaller && intersects({ workchain: 0, shard: large.shard }, { workchain: 0, shard: small.shard });
}

function unsigned({ shard }: ProcessedUpto): bigint {
  return BigInt.asUintN(64, shard);
}

/** Of two shards that intersect. */
function smaller(a: bigint, b: bigint): bigint {
  return prefixLength(a) > prefixLength(b) ? a : b;
}

function queueOf(entries: readonly (readonly [Uint8Array, QueuedMessage])[]): ShardState["queue"] {
  return Trie.from(MESSAGE_QUEUE, entries);
}

/** The right half gets what cannot be divided. Fees have no extra currencies. */
function halfOf({ coins, extra }: Currencies, i: 0 | 1): Currencies {
  return { coins: (coins + BigInt(i)) >> 1n, extra };
}
