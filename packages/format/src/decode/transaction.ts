import type { Cell } from "../cells/cell.ts";
import { CellError, CellReader } from "../cells/cell-reader.ts";
import { readEntries } from "../dictionary/entries.ts";
import type { TransactionId } from "../identifiers/types.ts";
import { readCurrencies } from "../state/currencies.ts";
import { type DecodedMessage, decodeMessage } from "./message.ts";

/** What a transaction's own cell tells of it; its workchain and masterchain block are not in there. */
export interface DecodedTransaction {
  /** The 256 bits of the account's address. */
  readonly accountHash: Uint8Array;
  readonly id: TransactionId;
  /** The one before it of the same account: lt 0 and 32 zero bytes where it is the first. */
  readonly previous: TransactionId;
  readonly time: number;
  /** `storageFee` + other fees; counts the forward fees of what it sent. */
  readonly fee: bigint;
  readonly storageFee: bigint;
  /** Absent where the clock started it (tick-tock). */
  readonly inMessage?: DecodedMessage;
  /** In order of creation: the i-th has createdLt = lt + 1 + i. */
  readonly outMessages: readonly DecodedMessage[];
  /** What the transaction itself cost, without the forward fees of what it sent. */
  readonly totalFees: bigint;
}

const TRANSACTION = 0b0111;

/**
 * Decodes a TL-B `Transaction`. Its fee is its total fees plus the forward fees of the messages that it sent; its storage fee
 * is what the storage phase collected.
 *
 * @param cell - The transaction's own cell: its hash is the transaction's.
 * @throws CellError where the cell is no transaction.
 */
export function decodeTransaction(cell: Cell): DecodedTransaction {
  const reader = new CellReader(cell);
  if (reader.uint(4) !== TRANSACTION) throw new CellError("a cell does not begin as a transaction");
  const accountHash = reader.bytes(32);
  const lt = reader.bigUint(64);
  const previous = { hash: reader.bytes(32), lt: reader.bigUint(64) };
  const time = reader.uint(32);
  reader.skip(15 + 2 + 2);
  const { inMessage, outMessages } = readMessages(reader.ref());
  const totalFees = readCurrencies(reader).coins;
  reader.ref();
  const storageFee = storageFeeOf(new CellReader(reader.ref()));
  return {
    accountHash,
    id: { lt, hash: cell.hash },
    previous,
    time,
    fee: outMessages.reduce((sum, message) => sum + message.forwardFee, totalFees),
    storageFee,
    totalFees,
    ...(inMessage && { inMessage }),
    outMessages,
  };
}

function readMessages(cell: Cell): Pick<DecodedTransaction, "inMessage" | "outMessages"> {
  const reader = new CellReader(cell);
  const incoming = reader.maybeRef();
  const outgoing = reader.maybeRef();
  return {
    ...(incoming && { inMessage: decodeMessage(incoming) }),
    outMessages: outgoing ? Array.from(readEntries(outgoing, 15), ({ leaf }) => decodeMessage(leaf.ref())) : [],
  };
}

/** Where a TL-B TransactionDescr holds its storage phase; kinds that have none are left out. */
const STORAGE_PHASE: Readonly<Record<number, (reader: CellReader) => boolean>> = {
  // trans_ord$0000 credit_first:Bool storage_ph:(Maybe ..)
  0: (reader) => reader.skip(1).bit(),
  // trans_storage$0001 storage_ph:..
  1: () => true,
  // trans_tick_tock$001 is_tock:Bool storage_ph:..
  2: () => true,
  3: () => true,
  // trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe ..)
  4: (reader) => reader.skip(SPLIT_MERGE_INFO).bit(),
  // trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:..
  6: (reader) => {
    reader.skip(SPLIT_MERGE_INFO);
    return true;
  },
  // trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction storage_ph:(Maybe ..)
  7: (reader) => {
    reader.skip(SPLIT_MERGE_INFO).ref();
    return reader.bit();
  },
};
const SPLIT_MERGE_INFO = 6 + 6 + 256 + 256;

function storageFeeOf(description: CellReader): bigint {
  const hasPhase = STORAGE_PHASE[description.uint(4)]?.(description) ?? false;
  return hasPhase ? description.coins() : 0n;
}
