/** The parts of a block besides messages and transactions, and how a block is read. */
import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { CellError, CellReader, readTag } from "../cells/cell-reader.ts";
import {
  addCurrencies,
  type Currencies,
  formatCurrencies,
  NO_CURRENCIES,
  readCurrencies,
  writeCurrencies,
} from "../currencies.ts";
import { Trie, type TrieFormat } from "../dictionaries/trie.ts";
import { type BlockRef, writeBlockRef, writeShardIdent } from "../identifiers.ts";
import type { MasterchainExtra } from "../states/shard-state.ts";
import { readShardHashes, type ShardDescription, writeShardHashes } from "../states/shards.ts";
import {
  BLOCK_TAG,
  type BlockHeader,
  EXTRA_TAG,
  INFO_TAG,
  readBlockHeader,
  readBlockParts,
  readBlockShards,
  readExtraParts,
  type SoftwareVersion,
  VERSION_TAG,
} from "./block-parts.ts";
import { readTransactions } from "./block-transactions.ts";
import { readQueueChange } from "./message-descriptions.ts";

const FLOW_TAG = 0xb8e48dfb;
/** With an amount for `burned`. */
const BURNING_FLOW_TAG = 0x3ebf98b7;

/** The parts of a block's header that `BlockInfo` has in another form, or leaves out. */
type OtherParts = "globalId" | "isMasterchain" | "isAfterMerge" | "verticalSeqno" | "software";

/** The header of a block (TL-B BlockInfo). */
export interface BlockInfo extends Omit<BlockHeader, OtherParts | "readPrevious" | "readMaster" | "readStateHashes"> {
  /** Number of hard forks before this block. Default: 0. */
  readonly verticalSeqno?: number;
  /** Default: none is named. */
  readonly software?: SoftwareVersion;
  /** The block before it: after a split, one of the shard that was split; after a merge, that of the left half. */
  readonly previous: BlockRef;
  /** After a merge: the block of the right half. */
  readonly mergedWith?: BlockRef;
  /** In a shard block: the newest masterchain block that it knows. */
  readonly master?: BlockRef;
}

/** The value flow of a block in its shard. Incoming and outgoing amounts are equal. */
export interface ValueFlow {
  readonly before: Currencies;
  readonly after: Currencies;
  readonly imported: Currencies;
  readonly exported: Currencies;
  readonly feesCollected: Currencies;
  /** Sent to the address that burns value, or taken from the fees of the masterchain. */
  readonly burned: Currencies;
  readonly feesImported: Currencies;
  readonly recovered: Currencies;
  readonly created: Currencies;
  readonly minted: Currencies;
}

/** A block as read from its cells. */
export interface Block {
  readonly globalId: number;
  readonly info: BlockInfo;
  readonly flow: ValueFlow;
  /** Hashes of the shard's state before and after it. */
  readonly oldStateHash: Uint8Array;
  readonly newStateHash: Uint8Array;
  /** Sorted by account, then by lt. */
  readonly transactions: readonly Cell[];
  /** By how much the shard's outbound queue grew. */
  readonly queueChange: number;
  /** In a masterchain block: the newest block of each shard. */
  readonly shards: readonly ShardDescription[];
}

/**
 * Reads a block, as `assembleBlock` or a node of the network writes it.
 *
 * TL-B `block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState)
 * extra:^BlockExtra = Block`.
 *
 * @throws CellError if the cell does not hold a block.
 *
 * @example
 * const { info, transactions } = readBlock(readBoc(boc));
 * for (const cell of transactions) console.log(info.seqno, decodeTransaction(cell).fee);
 */
export function readBlock(root: Cell): Block {
  const { globalId, flow, extra } = readBlockParts(root);
  const header = readBlockHeader(root);
  const { oldHash, newHash } = header.readStateHashes();
  const { outMessages, masterchain } = readExtraParts(extra);
  const shards = masterchain && readBlockShards(root);
  return {
    globalId,
    info: infoOf(header),
    flow: readFlow(flow),
    oldStateHash: oldHash,
    newStateHash: newHash,
    transactions: Array.from(readTransactions(root), ({ cell }) => cell),
    queueChange: readQueueChange(outMessages),
    shards: readShardHashes(shards),
  };
}

/** By how much a block changes the size of its shard's outbound queue: `readBlock(root).queueChange` without the rest. */
export function readBlockQueueChange(root: Cell): number {
  return readQueueChange(readExtraParts(readBlockParts(root).extra).outMessages);
}

function infoOf(header: BlockHeader): BlockInfo {
  const { globalId: _, isMasterchain: __, isAfterMerge: ___, software, ...parts } = header;
  const { readPrevious, readMaster, readStateHashes: ____, ...info } = parts;
  const [first, second] = readPrevious();
  if (!first) throw new CellError("a block has no block before it");
  const master = readMaster();
  return {
    ...info,
    ...(software && { software }),
    previous: refOf(first),
    ...(second && { mergedWith: refOf(second) }),
    ...(master && { master }),
  };
}

function refOf({ endLt, seqno, rootHash, fileHash }: BlockRef): BlockRef {
  return { endLt, seqno, rootHash, fileHash };
}

/** Block's root cell, from the parts that it refers to. */
export function buildBlock(globalId: number, info: Cell, flow: Cell, stateUpdate: Cell, extra: Cell): Cell {
  return new CellBuilder().uint(BLOCK_TAG, 32).int(globalId, 32).ref(info).ref(flow).ref(stateUpdate).ref(extra).cell();
}

/** TL-B: see `readBlockHeader`. */
export function buildBlockInfo(info: BlockInfo): Cell {
  const builder = new CellBuilder()
    .uint(INFO_TAG, 32)
    .uint(0, 32)
    .bit(info.master !== undefined)
    .bit(info.mergedWith !== undefined)
    .bit(info.isBeforeSplit)
    .bit(info.isAfterSplit)
    .bit(info.wantsSplit)
    .bit(info.wantsMerge)
    .bit(info.isKey)
    .uint(0, 1)
    .uint(info.software ? 1 : 0, 8)
    .uint(info.seqno, 32)
    .uint(info.verticalSeqno ?? 0, 32);
  writeShardIdent(builder, info);
  builder
    .uint(info.time, 32)
    .bigUint(info.startLt, 64)
    .bigUint(info.endLt, 64)
    .uint(info.validatorListHash, 32)
    .uint(info.catchainSeqno, 32)
    .uint(info.minRefMasterchainSeqno, 32)
    .uint(info.previousKeySeqno, 32);
  if (info.software) builder.uint(VERSION_TAG, 8).uint(info.software.version, 32).bigUint(info.software.capabilities, 64);
  if (info.master) builder.ref(writeBlockRef(new CellBuilder(), info.master).cell());
  const previous = writeBlockRef(new CellBuilder(), info.previous).cell();
  if (!info.mergedWith) return builder.ref(previous).cell();
  const mergedWith = writeBlockRef(new CellBuilder(), info.mergedWith).cell();
  return builder.ref(new CellBuilder().ref(previous).ref(mergedWith).cell()).cell();
}

/**
 * TL-B `value_flow#b8e48dfb ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection imported:CurrencyCollection
 * exported:CurrencyCollection ] fees_collected:CurrencyCollection ^[ fees_imported:CurrencyCollection recovered:CurrencyCollection
 * created:CurrencyCollection minted:CurrencyCollection ] = ValueFlow`; `value_flow_v2#3ebf98b7` has `burned:CurrencyCollection` after
 * `fees_collected`, and is written only if value is burned.
 *
 * @throws RangeError if the sums of incoming and outgoing amounts differ.
 */
export function buildValueFlow(flow: ValueFlow): Cell {
  const { incoming, outgoing } = sumValueFlow(flow);
  if (formatCurrencies(incoming) !== formatCurrencies(outgoing)) {
    throw new RangeError(
      `a block does not keep value: ${formatCurrencies(incoming)} comes in, ${formatCurrencies(outgoing)} goes out`,
    );
  }
  const isBurning = formatCurrencies(flow.burned) !== formatCurrencies(NO_CURRENCIES);
  const builder = new CellBuilder()
    .uint(isBurning ? BURNING_FLOW_TAG : FLOW_TAG, 32)
    .ref(amounts(flow.before, flow.after, flow.imported, flow.exported));
  writeCurrencies(builder, flow.feesCollected);
  if (isBurning) writeCurrencies(builder, flow.burned);
  return builder.ref(amounts(flow.feesImported, flow.recovered, flow.created, flow.minted)).cell();
}

/** The sums of the incoming and of the outgoing amounts of a block. They are equal in a valid block. */
export function sumValueFlow(flow: ValueFlow): { readonly incoming: Currencies; readonly outgoing: Currencies } {
  return {
    incoming: sum(flow.before, flow.imported, flow.feesImported, flow.recovered, flow.created, flow.minted),
    outgoing: sum(flow.after, flow.exported, flow.feesCollected, flow.burned),
  };
}

function amounts(...all: readonly Currencies[]): Cell {
  const builder = new CellBuilder();
  for (const amount of all) writeCurrencies(builder, amount);
  return builder.cell();
}

function sum(...all: readonly [Currencies, ...Currencies[]]): Currencies {
  return all.reduce(addCurrencies);
}

function readFlow(cell: Cell): ValueFlow {
  const reader = new CellReader(cell);
  const tag = readTag(reader, 32, "ValueFlow", FLOW_TAG, BURNING_FLOW_TAG);
  const own = new CellReader(reader.ref());
  const feesCollected = readCurrencies(reader);
  const burned = tag === BURNING_FLOW_TAG ? readCurrencies(reader) : NO_CURRENCIES;
  const others = new CellReader(reader.ref());
  return {
    before: readCurrencies(own),
    after: readCurrencies(own),
    imported: readCurrencies(own),
    exported: readCurrencies(own),
    feesCollected,
    burned,
    feesImported: readCurrencies(others),
    recovered: readCurrencies(others),
    created: readCurrencies(others),
    minted: readCurrencies(others),
  };
}

/** No validator made the block. */
const NO_CREATOR: Uint8Array = new Uint8Array(32);

/** A dictionary that can write itself. */
type Writable = Pick<Trie<unknown, unknown>, "write">;

/**
 * TL-B `block_extra in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks rand_seed:bits256
 * created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra`.
 *
 * @param dictionaries - InMsgDescr, OutMsgDescr, ShardAccountBlocks.
 */
export function buildBlockExtra(
  dictionaries: readonly [Writable, Writable, Writable],
  randomSeed: Uint8Array,
  masterchain: Cell | undefined,
): Cell {
  const builder = new CellBuilder().uint(EXTRA_TAG, 32);
  for (const dictionary of dictionaries) {
    const part = new CellBuilder();
    dictionary.write(part);
    builder.ref(part.cell());
  }
  return builder.bytes(randomSeed).bytes(NO_CREATOR).maybeRef(masterchain).cell();
}

/** Fees and funds that a shard reports to the masterchain. */
interface ShardFees {
  readonly fees: Currencies;
  readonly created: Currencies;
}

/** The fees of the shards that masterchain block `seqno` registers. */
export function collectShardFees(shards: readonly ShardDescription[], seqno: number): Trie<ShardDescription, ShardFees> {
  const fresh = shards.filter(({ registeredSeqno }) => registeredSeqno === seqno);
  return Trie.from(
    SHARD_FEES,
    fresh.map((shard) => {
      const key = new CellBuilder().int(shard.workchain, 32).bigUint(BigInt.asUintN(64, shard.shard), 64).cell().bytes;
      return [key, shard] as const;
    }),
  );
}

/**
 * By workchain and shard. TL-B `_ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated`,
 * `_ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees`.
 */
const SHARD_FEES: TrieFormat<ShardDescription, ShardFees> = {
  width: 96,
  augmentation: {
    empty: { fees: NO_CURRENCIES, created: NO_CURRENCIES },
    combine: (left, right) => ({
      fees: addCurrencies(left.fees, right.fees),
      created: addCurrencies(left.created, right.created),
    }),
    write: writeShardFees,
  },
  extraOf: feesOf,
  writeValue: (builder, shard) => writeShardFees(builder, feesOf(shard)),
};

function feesOf({ feesCollected, fundsCreated }: ShardDescription): ShardFees {
  return { fees: feesCollected, created: fundsCreated };
}

function writeShardFees(builder: CellBuilder, { fees, created }: ShardFees): void {
  writeCurrencies(builder, fees);
  writeCurrencies(builder, created);
}

/**
 * TL-B `masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
 * ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair) recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
 * config:key_block?ConfigParams = McBlockExtra`.
 */
export function buildMcBlockExtra(extra: MasterchainExtra, fees: Trie<ShardDescription, ShardFees>, isKey: boolean): Cell {
  const builder = new CellBuilder().uint(0xcca5, 16).bit(isKey);
  writeShardHashes(builder, extra.shards);
  fees.write(builder);
  builder.ref(new CellBuilder().uint(0, 3).cell());
  if (isKey) builder.bytes(extra.configAddress).ref(extra.config);
  return builder.cell();
}
