import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { Trie } from "../dictionary/trie.ts";
import { type TrieFormat, UNAUGMENTED } from "../dictionary/trie-node.ts";
import type { ShardId } from "../identifiers/types.ts";
import type { BlockRef } from "./block-ref.ts";
import { type Currencies, writeCurrencies } from "./currencies.ts";
import { WHOLE_WORKCHAIN } from "./shard-ident.ts";

/** What the masterchain keeps of a shard: its newest block (TL-B ShardDescr). */
export interface ShardDescription extends ShardId {
  /** The newest block of the shard; the zero state where there is none yet. */
  readonly block: BlockRef;
  readonly startLt: bigint;
  /** The masterchain block that registered it. */
  readonly registeredSeqno: number;
  /** The oldest masterchain block that the shard block still refers to. */
  readonly minRefMasterchainSeqno: number;
  /** Unix seconds. */
  readonly time: number;
  /** What its blocks since the last masterchain block collected, and created. */
  readonly feesCollected: Currencies;
  readonly fundsCreated: Currencies;
}

/** Writes a TL-B ShardHashes: for the basechain, the tree of its shards. Throws a RangeError where they do not cover it exactly. */
export function writeShardHashes(builder: CellBuilder, shards: readonly ShardDescription[]): void {
  const byShard = new Map(shards.map((shard) => [shard.shard, shard]));
  const trees = shards.length === 0 ? [] : [[new Uint8Array(4), shardTree(byShard, WHOLE_WORKCHAIN)] as const];
  if (byShard.size > 0) throw new RangeError("a shard lies within another one");
  Trie.from(SHARD_TREES, trees).write(builder, "cells");
}

/** By workchain: there is the basechain only. */
const SHARD_TREES: TrieFormat<Cell, undefined> = {
  width: 32,
  augmentation: UNAUGMENTED,
  extraOf: () => undefined,
  writeValue: (builder, tree) => {
    builder.ref(tree);
  },
};

/** TL-B BinTree ShardDescr. Takes what it uses out of the map. */
function shardTree(shards: Map<bigint, ShardDescription>, shard: bigint): Cell {
  const description = shards.get(shard);
  if (description) {
    shards.delete(shard);
    return shardDescr(description);
  }
  const marked = BigInt.asUintN(64, shard);
  const half = (marked & -marked) >> 1n;
  if (half < 2n ** 59n) throw new RangeError(`no block is given for shard ${shard}`);
  const [left, right] = [marked - half, marked + half].map((child) => shardTree(shards, BigInt.asIntN(64, child)));
  return new CellBuilder()
    .bit(true)
    .ref(left as Cell)
    .ref(right as Cell)
    .cell();
}

/** A leaf of the tree, with a TL-B ShardDescr in the form that keeps its amounts in a cell of their own. */
function shardDescr(shard: ShardDescription): Cell {
  const amounts = new CellBuilder();
  writeCurrencies(amounts, shard.feesCollected);
  writeCurrencies(amounts, shard.fundsCreated);
  const { block } = shard;
  return new CellBuilder()
    .bit(false)
    .uint(0xa, 4)
    .uint(block.seqno, 32)
    .uint(shard.registeredSeqno, 32)
    .bigUint(shard.startLt, 64)
    .bigUint(block.endLt, 64)
    .bytes(block.rootHash)
    .bytes(block.fileHash)
    .uint(0, 8)
    .uint(0, 32)
    .bigUint(BigInt.asUintN(64, shard.shard), 64)
    .uint(shard.minRefMasterchainSeqno, 32)
    .uint(shard.time, 32)
    .bit(false)
    .ref(amounts.cell())
    .cell();
}
