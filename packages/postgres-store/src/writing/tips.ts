/** The newest blocks of all shards: the masterchain first, then by shard. */

import { hex, isEqual } from "@chain-query/format/cells";
import { blockName, compareShards, intersects, isSameShard } from "@chain-query/format/identifiers";
import type { BlockHeader, Step } from "@chain-query/format/store";
import { PostgresStoreError } from "../types.ts";
import { headerOf } from "./encode-steps.ts";

/**
 * The tips after a step.
 *
 * @throws PostgresStoreError if a block does not follow the one before it: it is of another chain.
 */
export function tipsAfter(tips: readonly BlockHeader[], step: Step): readonly BlockHeader[] {
  const { masterchain, shards } = step;
  return [masterchain, ...shards].map((block) => headerOf(block, masterchain.id.seqno)).reduce(withBlock, tips);
}

/** The tips at a step, of the tips before the first step and the newest blocks of all shards that existed until then. */
export function tipsOf(first: readonly BlockHeader[], newest: readonly BlockHeader[]): readonly BlockHeader[] {
  // A block has a higher seqno than the blocks of the shards that it replaces.
  return newest.toSorted((one, other) => one.id.seqno - other.id.seqno).reduce(placed, first);
}

function withBlock(tips: readonly BlockHeader[], block: BlockHeader): readonly BlockHeader[] {
  const { id, previous } = block;
  const tip = tips.find((known) => isSameShard(known.id, previous));
  const isExpected = tip
    ? isEqual(tip.id.rootHash, previous.rootHash)
    : // The first block after a split or a merge: another new shard may have replaced the tip before it already.
      !tips.some((known) => isSameShard(known.id, id));
  if (isExpected) return placed(tips, block);
  const stored = tip ? `, ${hex(tip.id.rootHash)}` : "";
  const message = `block ${blockName(id)} must follow the stored block${stored}, got ${hex(previous.rootHash)}`;
  throw new PostgresStoreError("fork", `the source has another chain than the database: ${message}`);
}

function placed(tips: readonly BlockHeader[], block: BlockHeader): readonly BlockHeader[] {
  const at = tips.findIndex(({ id }) => isSameShard(id, block.id));
  if (at >= 0) return tips.with(at, block);
  return [...tips.filter(({ id }) => !intersects(id, block.id)), block].sort((a, b) => compareShards(a.id, b.id));
}

/** Transactions of a step in all shards. */
export function countTransactions({ masterchain, shards }: Step): bigint {
  return [masterchain, ...shards].reduce((sum, { transactions }) => sum + BigInt(transactions.length), 0n);
}
