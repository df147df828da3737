import { type Cell, CellBuilder, CellError, CellReader } from "@chain-query/format/cells";
import { type Currencies, readCurrencies } from "@chain-query/format/currencies";
import { readEntries } from "@chain-query/format/dictionaries";
import { type BlockId, type BlockRef, readBlockRef, type ShardId } from "@chain-query/format/identifiers";

/** The parts of a TL-B Block that `verify` compares with records, states and other blocks. */
export interface BlockContents {
  readonly info: BlockInfo;
  readonly flow: BlockFlow;
  /** Hashes of the shard's state before and after the block. */
  readonly oldStateHash: Uint8Array;
  readonly newStateHash: Uint8Array;
  /** By account, then by rising lt. */
  readonly transactions: readonly Cell[];
  /** Growth of the shard's outbound queue. */
  readonly queueChange: number;
  /** In a masterchain block: the newest block of each shard. */
  readonly shards: readonly ShardTip[];
}

/** TL-B BlockInfo. */
export interface BlockInfo extends ShardId {
  readonly seqno: number;
  readonly time: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly previous: BlockRef;
  /** In a shard block: the masterchain block that it refers to. */
  readonly master?: BlockRef;
}

/** TL-B ValueFlow. */
export interface BlockFlow {
  readonly before: Currencies;
  readonly after: Currencies;
  readonly imported: Currencies;
  readonly exported: Currencies;
  readonly feesCollected: Currencies;
  readonly feesImported: Currencies;
  readonly recovered: Currencies;
  readonly created: Currencies;
  readonly minted: Currencies;
}

/** @throws CellError if the cell is not a block. */
export function readBlockContents(root: Cell): BlockContents {
  const reader = tagged(root, 0x11ef55aa, "the block").skip(32);
  const info = readInfo(reader.ref());
  const flow = readFlow(reader.ref());
  const [before, after] = reader.ref().refs;
  if (!before || !after) throw new CellError("a block has no state update");
  const extra = tagged(reader.ref(), 0x4a33f6fd, "the BlockExtra");
  extra.ref();
  const sent = extra.ref();
  const accounts = extra.ref();
  const masterchain = extra.skip(512).maybeRef();
  return {
    info,
    flow,
    oldStateHash: before.hashAt(0),
    newStateHash: after.hashAt(0),
    transactions: [...transactionsIn(accounts)],
    queueChange: queueChange(sent),
    shards: masterchain ? readShardTips(masterchain) : [],
  };
}

function tagged(cell: Cell, tag: number, what: string): CellReader {
  const reader = new CellReader(cell);
  if (reader.uint(32) !== tag) throw new CellError(`${what} does not begin with the tag ${tag.toString(16)}`);
  return reader;
}

function readInfo(cell: Cell): BlockInfo {
  const reader = tagged(cell, 0x9bc7a987, "the BlockInfo").skip(32);
  const isMaster = !reader.bit();
  reader.skip(1 + 1 + 1 + 1 + 1 + 1 + 1 + 8);
  const seqno = reader.uint(32);
  reader.skip(32 + 2);
  const prefixBits = reader.uint(6);
  const workchain = reader.int(32);
  const shard = BigInt.asIntN(64, reader.bigUint(64) | (1n << BigInt(63 - prefixBits)));
  const time = reader.uint(32);
  const startLt = reader.bigUint(64);
  const endLt = reader.bigUint(64);
  const master = isMaster ? undefined : readBlockRef(new CellReader(reader.ref()));
  const previous = readBlockRef(new CellReader(reader.ref()));
  return { workchain, shard, seqno, time, startLt, endLt, previous, ...(master && { master }) };
}

function readFlow(cell: Cell): BlockFlow {
  const reader = tagged(cell, 0xb8e48dfb, "the ValueFlow");
  const own = new CellReader(reader.ref());
  const feesCollected = readCurrencies(reader);
  const others = new CellReader(reader.ref());
  return {
    before: readCurrencies(own),
    after: readCurrencies(own),
    imported: readCurrencies(own),
    exported: readCurrencies(own),
    feesCollected,
    feesImported: readCurrencies(others),
    recovered: readCurrencies(others),
    created: readCurrencies(others),
    minted: readCurrencies(others),
  };
}

/** TL-B ShardAccountBlocks: each leaf has the sum of fees, then a dictionary of the account's transactions. */
function* transactionsIn(accounts: Cell): Generator<Cell, void, undefined> {
  const root = new CellReader(accounts).maybeRef();
  if (!root) return;
  for (const { leaf } of readEntries(root, 256)) {
    readCurrencies(leaf);
    leaf.skip(4 + 256);
    for (const { leaf: entry } of readEntries(restOf(leaf), 64)) {
      readCurrencies(entry);
      yield entry.ref();
    }
  }
}

/** The unread part as a cell: the root of the dictionary of an account's transactions is inlined in the leaf. */
function restOf(reader: CellReader): Cell {
  const builder = new CellBuilder();
  while (reader.remainingBits > 0) {
    const bits = Math.min(48, reader.remainingBits);
    builder.uint(reader.uint(bits), bits);
  }
  while (reader.remainingRefs > 0) builder.ref(reader.ref());
  return builder.cell();
}

/** The effect of each TL-B OutMsg on the shard's outbound queue, by its first three bits. */
const QUEUE_CHANGES: Readonly<Record<number, number>> = {
  // msg_export_ext$000, msg_export_imm$010: not queued
  0: 0,
  2: 0,
  // msg_export_new$001, msg_export_tr$011: enqueued
  1: 1,
  3: 1,
  // msg_export_deq_imm$100, msg_export_deq$1100, msg_export_deq_short$1101: dequeued
  4: -1,
  6: -1,
  // msg_export_tr_req$111: enqueued again under another key
  7: 0,
};

/** The growth of the queue by a TL-B OutMsgDescr. */
function queueChange(described: Cell): number {
  const root = new CellReader(described).maybeRef();
  let change = 0;
  for (const { leaf } of root ? readEntries(root, 256) : []) {
    readCurrencies(leaf);
    change += QUEUE_CHANGES[leaf.uint(3)] ?? 0;
  }
  return change;
}

/** The newest block of a shard, as committed by a masterchain block (TL-B ShardDescr). */
export interface ShardTip extends BlockId {
  readonly startLt: bigint;
  readonly endLt: bigint;
}

const WHOLE = 1n << 63n;

/** The shards of a TL-B McBlockExtra, by workchain and shard. */
function readShardTips(masterchainExtra: Cell): ShardTip[] {
  const reader = new CellReader(masterchainExtra).skip(16 + 1);
  const root = reader.maybeRef();
  if (!root) return [];
  return Array.from(readEntries(root, 32)).flatMap(({ key, leaf }) => {
    const workchain = Buffer.from(key).readInt32BE();
    return [...tipsIn(leaf.ref(), workchain, WHOLE)];
  });
}

/** TL-B BinTree ShardDescr: a fork halves the shard. */
function* tipsIn(cell: Cell, workchain: number, shard: bigint): Generator<ShardTip, void, undefined> {
  const reader = new CellReader(cell);
  if (!reader.bit()) {
    yield readTip(reader, workchain, shard);
    return;
  }
  const half = (shard & -shard) >> 1n;
  yield* tipsIn(reader.ref(), workchain, shard - half);
  yield* tipsIn(reader.ref(), workchain, shard + half);
}

function readTip(reader: CellReader, workchain: number, shard: bigint): ShardTip {
  reader.skip(4);
  const seqno = reader.uint(32);
  reader.skip(32);
  const startLt = reader.bigUint(64);
  const endLt = reader.bigUint(64);
  const rootHash = reader.bytes(32);
  const fileHash = reader.bytes(32);
  return { workchain, shard: BigInt.asIntN(64, shard), seqno, rootHash, fileHash, startLt, endLt };
}
