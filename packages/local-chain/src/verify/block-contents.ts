import { type Cell, CellBuilder, CellError, CellReader } from "@chain-query/format/cells";
import { type Currencies, readCurrencies } from "@chain-query/format/currencies";
import { readEntries } from "@chain-query/format/dictionaries";
import { type BlockRef, readBlockRef } from "@chain-query/format/identifiers";
import type { ShardId } from "../domain.ts";
import { queueChange } from "./queue-change.ts";
import { readShardTips, type ShardTip } from "./shard-tips.ts";

/** What a block says of itself (TL-B Block), as far as it can be compared with something. */
export interface BlockContents {
  readonly info: BlockInfo;
  readonly flow: BlockFlow;
  /** Hashes of the shard's state before and after it. */
  readonly oldStateHash: Uint8Array;
  readonly newStateHash: Uint8Array;
  /** By account, those of one account by rising lt. */
  readonly transactions: readonly Cell[];
  /** By how much the shard's outbound queue grew. */
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
  /** In a shard block: the masterchain block that it knew of. */
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

/** Reads a block. Throws a CellError where the cell holds none. */
export function readBlockContents(root: Cell): BlockContents {
  const reader = tagged(root, 0x11ef55aa, "a block").skip(32);
  const info = readInfo(reader.ref());
  const flow = readFlow(reader.ref());
  const [before, after] = reader.ref().refs;
  if (!before || !after) throw new CellError("a block does not say how it changes its state");
  const extra = tagged(reader.ref(), 0x4a33f6fd, "the extra part of a block");
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
  if (reader.uint(32) !== tag) throw new CellError(`${what} does not begin as one`);
  return reader;
}

function readInfo(cell: Cell): BlockInfo {
  const reader = tagged(cell, 0x9bc7a987, "the information of a block").skip(32);
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
  const reader = tagged(cell, 0xb8e48dfb, "the value flow of a block");
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

/** TL-B ShardAccountBlocks: for each account, after the fees of all its transactions, a dictionary of them in the leaf itself. */
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

/** What is left to read, as a cell of its own: the dictionary of an account's transactions has no cell for its root. */
function restOf(reader: CellReader): Cell {
  const builder = new CellBuilder();
  while (reader.remainingBits > 0) {
    const bits = Math.min(48, reader.remainingBits);
    builder.uint(reader.uint(bits), bits);
  }
  while (reader.remainingRefs > 0) builder.ref(reader.ref());
  return builder.cell();
}
