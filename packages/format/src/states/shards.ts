/** The shards as the masterchain describes them. */
import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { CellError, CellReader, readTag } from "../cells/cell-reader.ts";
import { type Currencies, readCurrencies, writeCurrencies } from "../currencies.ts";
import { lookUp, readEntries, uint32Key } from "../dictionaries/hashmap.ts";
import { plainFormat, Trie } from "../dictionaries/trie.ts";
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
  /** Absent if nothing is announced. */
  readonly resharding?: Resharding | undefined;
  /** Absent without validators. */
  readonly catchain?: ShardCatchain | undefined;
  /** The amounts are in the description's own cell, not in one of their own. Default: false. */
  readonly hasInlineAmounts?: boolean | undefined;
}

/** The next session of a shard's validators. */
export interface ShardCatchain {
  readonly isUpdated: boolean;
  readonly seqno: number;
  /** The shard that they are selected for. */
  readonly shard: bigint;
}

/** What the masterchain announces of a shard. Absent fields are false. */
export interface Resharding {
  /** The newest block is the last one: blocks of both halves follow. */
  readonly isBeforeSplit?: boolean;
  /** The newest block is the last one: a block of the shard with the sibling follows. */
  readonly isBeforeMerge?: boolean;
  /** The newest block asks for it. */
  readonly wantsSplit?: boolean;
  readonly wantsMerge?: boolean;
  /** When it may happen (TL-B FutureSplitMerge). */
  readonly window?: ReshardingWindow | undefined;
}

/** A time window in which a shard may split, or merge with its sibling. */
export interface ReshardingWindow {
  readonly kind: "split" | "merge";
  /** Unix seconds. */
  readonly start: number;
  readonly seconds: number;
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
  if (byShard.size > 0) throw new RangeError("a shard is within another one");
  Trie.from(SHARD_TREES, trees).write(builder);
}

/** Trees by workchain. */
const SHARD_TREES = /* @__PURE__ */ plainFormat<Cell>(32, (builder, tree) => builder.ref(tree));

/** The forms of a ShardDescr, see `buildShardLeaf`. */
const [AMOUNTS_APART, AMOUNTS_INLINE] = [0xa, 0xb] as const;

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
  const { block, resharding = {}, catchain = { isUpdated: false, seqno: 0, shard: shard.shard } } = shard;
  const { isBeforeSplit = false, isBeforeMerge = false, wantsSplit = false, wantsMerge = false, window } = resharding;
  const builder = new CellBuilder()
    .bit(false)
    .uint(shard.hasInlineAmounts ? AMOUNTS_INLINE : AMOUNTS_APART, 4)
    .uint(block.seqno, 32)
    .uint(shard.registeredSeqno, 32)
    .bigUint(shard.startLt, 64)
    .bigUint(block.endLt, 64)
    .bytes(block.rootHash)
    .bytes(block.fileHash)
    .bit(isBeforeSplit)
    .bit(isBeforeMerge)
    .bit(wantsSplit)
    .bit(wantsMerge)
    .bit(catchain.isUpdated)
    .uint(0, 3)
    .uint(catchain.seqno, 32)
    .bigUint(BigInt.asUintN(64, catchain.shard), 64)
    .uint(shard.minRefMasterchainSeqno, 32)
    .uint(shard.time, 32)
    .bit(window !== undefined);
  if (window)
    builder
      .bit(window.kind === "merge")
      .uint(window.start, 32)
      .uint(window.seconds, 32);
  return (shard.hasInlineAmounts ? builder.append(amounts.cell()) : builder.ref(amounts.cell())).cell();
}

/** The newest block of a shard, without what is announced of it and without amounts, which a proof may leave out. */
export type ShardTop = Omit<ShardDescription, "feesCollected" | "fundsCreated" | "resharding" | "catchain">;

/**
 * Reads the shards of all workchains but the masterchain, by workchain and prefix, see `writeShardHashes`.
 *
 * @param root - Of the dictionary; undefined if it is empty.
 * @throws CellError if the cells do not hold them.
 */
export function readShardHashes(root: Cell | undefined): ShardDescription[] {
  return [...readShardLeaves(root, readShardLeaf)];
}

/** The same as `readShardHashes`, but touches no amounts. */
export function readShardTops(root: Cell | undefined): ShardTop[] {
  return [...readShardLeaves(root, readShardTop)];
}

/**
 * Looks up the shard that contains another one; undefined if it does not exist, which is certain in a proof, too.
 *
 * @param root - Of the dictionary; undefined if it is empty.
 * @throws PrunedCellError if the path to it ends at a pruned branch.
 */
export function lookUpShard(root: Cell | undefined, { workchain, shard }: ShardId): ShardTop | undefined {
  const asked = BigInt.asUintN(64, shard);
  let at = 1n << 63n;
  for (let cell = root && lookUp(root, uint32Key(workchain), 32)?.ref(); cell; ) {
    const reader = new CellReader(cell);
    if (!reader.bit()) return readShardTop(cell, { workchain, shard: BigInt.asIntN(64, at) });
    const mark = at & -at;
    if (mark === (asked & -asked)) return undefined;
    const left = reader.ref();
    const isRight = (asked & mark) !== 0n;
    cell = isRight ? reader.ref() : left;
    at = isRight ? at + (mark >> 1n) : at - (mark >> 1n);
  }
  return undefined;
}

function* readShardLeaves<Shard>(
  root: Cell | undefined,
  read: (leaf: Cell, shard: ShardId) => Shard,
): Generator<Shard, void, undefined> {
  for (const { key, leaf } of root ? readEntries(root, 32) : []) {
    const workchain = new DataView(key.buffer, key.byteOffset).getInt32(0);
    const stack = [{ cell: leaf.ref(), shard: 1n << 63n }];
    for (let node = stack.pop(); node; node = stack.pop()) {
      const reader = new CellReader(node.cell);
      if (!reader.bit()) {
        yield read(node.cell, { workchain, shard: BigInt.asIntN(64, node.shard) });
        continue;
      }
      // A fork halves the shard, which is given as an unsigned integer.
      const half = (node.shard & -node.shard) >> 1n;
      if (half === 0n) throw new CellError("a tree of shards is deeper than 63");
      const left = { cell: reader.ref(), shard: node.shard - half };
      stack.push({ cell: reader.ref(), shard: node.shard + half }, left);
    }
  }
}

function readShardTop(leaf: Cell, shard: ShardId): ShardTop {
  const reader = new CellReader(leaf).skip(1);
  const tag = readTag(reader, 4, "ShardDescr", AMOUNTS_APART, AMOUNTS_INLINE);
  const seqno = reader.uint(32);
  const registeredSeqno = reader.uint(32);
  const startLt = reader.bigUint(64);
  const block: BlockRef = { seqno, endLt: reader.bigUint(64), rootHash: reader.bytes(32), fileHash: reader.bytes(32) };
  readTag(reader.skip(5), 3, "flags of ShardDescr", 0);
  const minRefMasterchainSeqno = reader.skip(32 + 64).uint(32);
  const time = reader.uint(32);
  const isInline = tag === AMOUNTS_INLINE && { hasInlineAmounts: true };
  return { ...shard, block, startLt, registeredSeqno, minRefMasterchainSeqno, time, ...isInline };
}

/**
 * TL-B `fsm_none$0 = FutureSplitMerge`, `fsm_split$10 split_utime:uint32 interval:uint32 = FutureSplitMerge`,
 * `fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge`.
 */
function readWindow(reader: CellReader): ReshardingWindow | undefined {
  if (!reader.bit()) return undefined;
  return { kind: reader.bit() ? "merge" : "split", start: reader.uint(32), seconds: reader.uint(32) };
}

function readShardLeaf(leaf: Cell, shard: ShardId): ShardDescription {
  const top = readShardTop(leaf, shard);
  const reader = new CellReader(leaf).skip(1 + 4 + 2 * 32 + 2 * 64 + 2 * 256);
  const [isBeforeSplit, isBeforeMerge, wantsSplit, wantsMerge] = [reader.bit(), reader.bit(), reader.bit(), reader.bit()];
  const isUpdated = reader.bit();
  const catchain: ShardCatchain = { isUpdated, seqno: reader.skip(3).uint(32), shard: BigInt.asIntN(64, reader.bigUint(64)) };
  const window = readWindow(reader.skip(2 * 32));
  const isAnnounced = isBeforeSplit || isBeforeMerge || wantsSplit || wantsMerge || window;
  const hasCatchain = isUpdated || catchain.seqno > 0 || catchain.shard !== shard.shard;
  const amounts = top.hasInlineAmounts ? reader : new CellReader(reader.ref());
  return {
    ...top,
    ...(isAnnounced && {
      resharding: { isBeforeSplit, isBeforeMerge, wantsSplit, wantsMerge, ...(window && { window }) },
    }),
    ...(hasCatchain && { catchain }),
    ...{ feesCollected: readCurrencies(amounts), fundsCreated: readCurrencies(amounts) },
  };
}
