/** Readers of single parts of a block, which also work on Merkle proofs that contain only these parts. */
import type { Cell } from "../cells/cell.ts";
import { CellError, CellReader, readTag } from "../cells/cell-reader.ts";
import { readMerkleUpdate } from "../cells/merkle.ts";
import {
  type BlockId,
  type BlockRef,
  childShards,
  namedBlock,
  parentShard,
  readBlockRef,
  readShardIdent,
  type ShardId,
  shardName,
  WHOLE_WORKCHAIN,
} from "../identifiers.ts";

export const BLOCK_TAG: number = 0x11ef55aa;
export const INFO_TAG: number = 0x9bc7a987;
export const EXTRA_TAG: number = 0x4a33f6fd;

/** Reads the tag of a cell. */
function readTagged(cell: Cell, tag: number, name: string): CellReader {
  const reader = new CellReader(cell);
  readTag(reader, 32, name, tag);
  return reader;
}

/** The cells that the root of a block refers to. */
export interface BlockParts {
  readonly globalId: number;
  readonly info: Cell;
  readonly flow: Cell;
  readonly stateUpdate: Cell;
  readonly extra: Cell;
}

/** Reads the root of a block, see `readBlock`. */
export function readBlockParts(root: Cell): BlockParts {
  const reader = readTagged(root, BLOCK_TAG, "Block");
  const globalId = reader.int(32);
  return { globalId, info: reader.ref(), flow: reader.ref(), stateUpdate: reader.ref(), extra: reader.ref() };
}

/** The version of the software that made a block, and a bit for each feature that it supports (TL-B GlobalVersion). */
export interface SoftwareVersion {
  readonly version: number;
  readonly capabilities: bigint;
}

/** TL-B `capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion`. */
export const VERSION_TAG: number = 0xc4;

/** The header of a block. The methods read further cells, which a proof may omit. */
export interface BlockHeader extends ShardId {
  readonly globalId: number;
  readonly seqno: number;
  /** Unix seconds. */
  readonly time: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly isKey: boolean;
  readonly isMasterchain: boolean;
  /** The first block of a shard that was two. */
  readonly isAfterMerge: boolean;
  /** The first block of one half of a shard. */
  readonly isAfterSplit: boolean;
  /** The last block of a shard: blocks of both halves follow. */
  readonly isBeforeSplit: boolean;
  readonly wantsSplit: boolean;
  readonly wantsMerge: boolean;
  /** Hash of the validators that sign the block, see `selectMasterchainValidators`; 0 without validators. */
  readonly validatorListHash: number;
  /** Number of the catchain, a session of these validators. */
  readonly catchainSeqno: number;
  readonly minRefMasterchainSeqno: number;
  /** Number of the last key block before this one. */
  readonly previousKeySeqno: number;
  /** Number of hard forks before this block. */
  readonly verticalSeqno: number;
  readonly software: SoftwareVersion | undefined;
  /** The block before it; two after a merge, and one of another shard after a split. */
  readPrevious(): readonly (BlockId & BlockRef)[];
  /** In a shard block: the newest masterchain block that it knows. */
  readMaster(): BlockRef | undefined;
  /** Hashes of the shard's state before and after it. */
  readStateHashes(): { readonly oldHash: Uint8Array; readonly newHash: Uint8Array };
}

/**
 * Reads the header of a block.
 *
 * TL-B `block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
 * want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) seq_no:# vert_seq_no:# shard:ShardIdent
 * gen_utime:uint32 start_lt:uint64 end_lt:uint64 gen_validator_list_hash_short:uint32 gen_catchain_seqno:uint32
 * min_ref_mc_seqno:uint32 prev_key_block_seqno:uint32 gen_software:flags . 0?GlobalVersion master_ref:not_master?^BlkMasterInfo
 * prev_ref:^(BlkPrevInfo after_merge) prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo`,
 * `prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0`, `prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1`.
 *
 * @throws CellError if the cell does not hold a block.
 *
 * @example
 * const header = readBlockHeader(openMerkleProof(proof, id.rootHash));
 * header.readStateHashes().newHash; // throws a PrunedCellError if the proof does not show it
 */
export function readBlockHeader(root: Cell): BlockHeader {
  const { globalId, info, stateUpdate } = readBlockParts(root);
  const reader = readTagged(info, INFO_TAG, "BlockInfo");
  readTag(reader, 32, "version of BlockInfo", 0);
  const isMasterchain = !reader.bit();
  const isAfterMerge = reader.bit();
  const [isBeforeSplit, isAfterSplit, wantsSplit, wantsMerge] = [reader.bit(), reader.bit(), reader.bit(), reader.bit()];
  const isKey = reader.bit();
  const flags = readTag(reader.skip(1), 8, "flags of BlockInfo", 0, WITH_SOFTWARE);
  const seqno = reader.uint(32);
  const verticalSeqno = reader.uint(32);
  const shard = readShardIdent(reader);
  const isWhole = shard.shard === WHOLE_WORKCHAIN;
  const isOfMasterchain = shard.workchain === -1;
  if (isMasterchain !== isOfMasterchain || (isOfMasterchain && !isWhole) || (isAfterSplit && (isAfterMerge || isWhole))) {
    const bits = [!isMasterchain, isAfterMerge, isAfterSplit].map(Number).join(", ");
    throw new CellError(`a block of ${shardName(shard)} cannot have ${bits} as not_master, after_merge and after_split`);
  }
  const time = reader.uint(32);
  const startLt = reader.bigUint(64);
  const endLt = reader.bigUint(64);
  const validatorListHash = reader.uint(32);
  const catchainSeqno = reader.uint(32);
  const minRefMasterchainSeqno = reader.uint(32);
  const previousKeySeqno = reader.uint(32);
  const software = flags === WITH_SOFTWARE ? readSoftware(reader) : undefined;
  const master = isMasterchain ? undefined : reader.ref();
  const before = reader.ref();
  return {
    ...shard,
    ...{ globalId, seqno, time, startLt, endLt, isKey, isMasterchain },
    ...{ validatorListHash, catchainSeqno, minRefMasterchainSeqno, previousKeySeqno, verticalSeqno, software },
    ...{ isAfterMerge, isAfterSplit, isBeforeSplit, wantsSplit, wantsMerge },
    readPrevious: () => {
      const previous = new CellReader(before);
      if (!isAfterMerge) return [namedBlock(isAfterSplit ? parentShard(shard) : shard, readBlockRef(previous))];
      return childShards(shard).map((child) => namedBlock(child, readBlockRef(new CellReader(previous.ref()))));
    },
    readMaster: () => master && readBlockRef(new CellReader(master)),
    readStateHashes: () => readMerkleUpdate(stateUpdate),
  };
}

/** `flags` of a BlockInfo. */
const WITH_SOFTWARE = 1;

function readSoftware(reader: CellReader): SoftwareVersion {
  readTag(reader, 8, "GlobalVersion", VERSION_TAG);
  return { version: reader.uint(32), capabilities: reader.bigUint(64) };
}

/** The cells that the extra of a block refers to. */
interface BlockExtraParts {
  readonly outMessages: Cell;
  /** TL-B ShardAccountBlocks. */
  readonly accountBlocks: Cell;
  /** TL-B McBlockExtra, only in masterchain blocks. */
  readonly masterchain: Cell | undefined;
}

/** Reads the extra of a block, see `readBlock`. */
export function readExtraParts(extra: Cell): BlockExtraParts {
  const reader = readTagged(extra, EXTRA_TAG, "BlockExtra");
  reader.ref();
  return { outMessages: reader.ref(), accountBlocks: reader.ref(), masterchain: reader.skip(512).maybeRef() };
}

/**
 * The dictionary of shards in a masterchain block: its root, undefined if it is empty. Does not touch the dictionary.
 *
 * TL-B `masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes …`, see `writeShardHashes`.
 */
export function readBlockShards(root: Cell): Cell | undefined {
  return readMcBlockExtra(root).skip(1).maybeRef();
}

/**
 * Root of the configuration's dictionary in a key block (TL-B `Hashmap 32 ^Cell`); undefined in other masterchain blocks. Does not touch
 * the dictionary.
 *
 * TL-B `masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees ^[ … ] config:key_block?ConfigParams`.
 */
export function readBlockConfig(root: Cell): Cell | undefined {
  const reader = readMcBlockExtra(root);
  if (!reader.bit()) return undefined;
  reader.maybeRef();
  reader.maybeRef();
  for (let amounts = 0; amounts < 2; amounts++) {
    reader.coins();
    reader.maybeRef();
  }
  reader.ref();
  return reader.skip(256).ref();
}

function readMcBlockExtra(root: Cell): CellReader {
  const { masterchain } = readExtraParts(readBlockParts(root).extra);
  if (!masterchain) throw new CellError("the block is not one of the masterchain");
  const reader = new CellReader(masterchain);
  readTag(reader, 16, "McBlockExtra", 0xcca5);
  return reader;
}
