/** The shards as the masterchain describes them. */
import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { CellError, CellReader } from "../cells/cell-reader.ts";
import { type Currencies, readCurrencies, writeCurrencies } from "../currencies.ts";
import { readEntries } from "../dictionaries/hashmap.ts";
import { Trie, type TrieFormat, UNAUGMENTED } from "../dictionaries/trie.ts";
import { type BlockRef, type ShardId, WHOLE_WORKCHAIN } from "../identifiers.ts";

/** The newest block of a shard, as the masterchain registers it (TL-B ShardDescr). */
export interface ShardDescription extends ShardId {
  /** The newest block; the zero state if the shard has no block yet. */
  readonly block: BlockRef;
  readonly startLt: bigint;
  /** Number of the masterchain block that registered it. */
  readonly registeredSeqno: number;
  /** The oldest masterchain block that the shard's block still refers to. */
  readonly minRefMasterchainSeqno: number;
  /** Unix seconds. */
  readonly time: number;
  /** Fees collected, and value created, by the shard's blocks since the last masterchain block. */
  readonly feesCollected: Currencies;
  readonly fundsCreated: Currencies;
}

/**
 * Writes the shards of the basechain.
 *
 * TL-B `_ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes`, `bt_leaf$0 leaf:X = BinTree X`,
 * `bt_fork$1 left:^(BinTree X) right:^(BinTree X) = BinTree X`.
 *
 * @throws RangeError unless the shards cover the basechain exactly once.
 */
export function writeShardHashes(builder: CellBuilder, shards: readonly ShardDescription[]): void {
  const byShard = new Map(shards.map((shard) => [shard.shard, shard]));
  const trees = shards.length === 0 ? [] : [[new Uint8Array(4), buildShardTree(byShard, WHOLE_WORKCHAIN)] as const];
  if (byShard.size > 0) throw new RangeError("a shard lies within another one");
  Trie.from(SHARD_TREES, trees).write(builder, "cells");
}

/** Trees by workchain. */
const SHARD_TREES: TrieFormat<Cell, undefined> = {
  width: 32,
  augmentation: UNAUGMENTED,
  extraOf: () => undefined,
  writeValue: (builder, tree) => {
    builder.ref(tree);
  },
};

/** Removes the shards that it writes from the map. */
function buildShardTree(shards: Map<bigint, ShardDescription>, shard: bigint): Cell {
  const description = shards.get(shard);
  if (description) {
    shards.delete(shard);
    return buildShardLeaf(description);
  }
  const marked = BigInt.asUintN(64, shard);
  const half = (marked & -marked) >> 1n;
  if (half < 2n ** 59n) throw new RangeError(`shard ${shard} has no block`);
  const [left, right] = [marked - half, marked + half].map((child) => buildShardTree(shards, BigInt.asIntN(64, child)));
  return new CellBuilder()
    .bit(true)
    .ref(left as Cell)
    .ref(right as Cell)
    .cell();
}

/**
 * TL-B `shard_descr#b seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64 root_hash:bits256 file_hash:bits256
 * before_split:Bool before_merge:Bool want_split:Bool want_merge:Bool nx_cc_updated:Bool flags:(## 3) { flags = 0 }
 * next_catchain_seqno:uint32 next_validator_shard:uint64 min_ref_mc_seqno:uint32 gen_utime:uint32
 * split_merge_at:FutureSplitMerge fees_collected:CurrencyCollection funds_created:CurrencyCollection = ShardDescr`;
 * `shard_descr_new#a` is the same with both amounts in a cell of their own.
 */
function buildShardLeaf(shard: ShardDescription): Cell {
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

/**
 * Reads the shards of all workchains but the masterchain, by workchain and prefix, see `writeShardHashes`.
 *
 * @throws CellError if the cells do not hold them.
 */
export function readShardHashes(reader: CellReader): ShardDescription[] {
  const root = reader.maybeRef();
  if (!root) return [];
  return Array.from(readEntries(root, 32)).flatMap(({ key, leaf }) => {
    const workchain = new DataView(key.buffer, key.byteOffset).getInt32(0);
    return [...readShardLeaves(leaf.ref(), workchain, 1n << 63n)];
  });
}

/** A fork halves the shard, which is given as an unsigned integer. */
function* readShardLeaves(cell: Cell, workchain: number, shard: bigint): Generator<ShardDescription, void, undefined> {
  const reader = new CellReader(cell);
  if (!reader.bit()) {
    yield readShardLeaf(reader, { workchain, shard: BigInt.asIntN(64, shard) });
    return;
  }
  const half = (shard & -shard) >> 1n;
  yield* readShardLeaves(reader.ref(), workchain, shard - half);
  yield* readShardLeaves(reader.ref(), workchain, shard + half);
}

function readShardLeaf(reader: CellReader, shard: ShardId): ShardDescription {
  const tag = reader.uint(4);
  if (tag !== 0xa && tag !== 0xb) throw new CellError(`a ShardDescr has tag ${tag.toString(16)}, expected a or b`);
  const seqno = reader.uint(32);
  const registeredSeqno = reader.uint(32);
  const startLt = reader.bigUint(64);
  const block: BlockRef = { seqno, endLt: reader.bigUint(64), rootHash: reader.bytes(32), fileHash: reader.bytes(32) };
  const minRefMasterchainSeqno = reader.skip(8 + 32 + 64).uint(32);
  const time = reader.uint(32);
  // fsm_none$0, or fsm_split$10 and fsm_merge$11 with a time and an interval of 32 bits each.
  if (reader.bit()) reader.skip(1 + 32 + 32);
  const amounts = tag === 0xa ? new CellReader(reader.ref()) : reader;
  return {
    ...shard,
    block,
    startLt,
    registeredSeqno,
    minRefMasterchainSeqno,
    time,
    feesCollected: readCurrencies(amounts),
    fundsCreated: readCurrencies(amounts),
  };
}
