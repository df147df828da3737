import type { Cell } from "./cells/cell.ts";
import { CellReader, readTag } from "./cells/cell-reader.ts";
import { type Currencies, readCurrencies } from "./currencies.ts";
import { readEntries } from "./dictionaries/hashmap.ts";
import type { TransactionId } from "./identifiers.ts";
import { type DecodedMessage, decodeMessage, type MessageHeader, readMessageHeader } from "./messages.ts";

/** The fields of a transaction that a block needs. */
export interface TransactionHeader {
  /** The cell as the executor made it: its hash is the transaction's. */
  readonly cell: Cell;
  /** The 256 bits of the account's address. */
  readonly account: Uint8Array;
  readonly lt: bigint;
  readonly previousHash: Uint8Array;
  readonly previousLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** Undefined in tick-tock transactions. */
  readonly inMessage: MessageHeader | undefined;
  /** In order of creation. */
  readonly outMessages: readonly MessageHeader[];
  readonly totalFees: Currencies;
  /** Hashes of the account's cell before and after. */
  readonly oldStateHash: Uint8Array;
  readonly newStateHash: Uint8Array;
}

/**
 * Reads the header of a transaction. Cheaper than `decodeTransaction`, because it decodes no message bodies.
 *
 * @throws CellError if the cell does not hold a transaction.
 */
export function readTransactionHeader(cell: Cell): TransactionHeader {
  const { stateUpdate, description: _, ...header } = readTransaction(cell, readMessageHeader);
  const update = new CellReader(stateUpdate);
  readTag(update, 8, "HASH_UPDATE", 0x72);
  return { cell, ...header, oldStateHash: update.bytes(32), newStateHash: update.bytes(32) };
}

/** A decoded transaction. The cell does not contain its workchain and its block. */
export interface DecodedTransaction {
  /** The 256 bits of the account's address. */
  readonly accountHash: Uint8Array;
  readonly id: TransactionId;
  /** The transaction before it of the same account: lt 0 and 32 zero bytes for the first one. */
  readonly previous: TransactionId;
  /** Unix seconds. */
  readonly time: number;
  /** `totalFees` + the forward fees and IHR fees of the messages that it sent. */
  readonly fee: bigint;
  /** Collected by the storage phase; part of `fee`. */
  readonly storageFee: bigint;
  /** Absent in tick-tock transactions. */
  readonly inMessage?: DecodedMessage;
  /** In order of creation: the i-th has createdLt = lt + 1 + i. */
  readonly outMessages: readonly DecodedMessage[];
  /** Fees of the transaction itself, without those of the messages that it sent. */
  readonly totalFees: bigint;
}

/**
 * Decodes a transaction.
 *
 * @param cell - The transaction's own cell: its hash is the transaction's.
 * @throws CellError if the cell does not hold a transaction.
 *
 * @example
 * const { id, fee, inMessage } = decodeTransaction(readBoc(boc));
 */
export function decodeTransaction(cell: Cell): DecodedTransaction {
  const { account, lt, previousHash, previousLt, time, inMessage, outMessages, totalFees, description } = readTransaction(
    cell,
    decodeMessage,
  );
  return {
    accountHash: account,
    id: { lt, hash: cell.hash },
    previous: { hash: previousHash, lt: previousLt },
    time,
    fee: outMessages.reduce((sum, { forwardFee, ihrFee }) => sum + forwardFee + ihrFee, totalFees.coins),
    storageFee: readStorageFee(new CellReader(description)),
    totalFees: totalFees.coins,
    ...(inMessage && { inMessage }),
    outMessages,
  };
}

/** Bits of a transaction between its tag and `end_status`, and the status of an account that does not exist: TL-B `acc_state_nonexist$11`. */
const END_STATUS_AT = 256 + 64 + 256 + 64 + 32 + 15 + 2;
const NONEXISTENT = 0b11;

/**
 * Whether the account of a transaction does not exist after it.
 *
 * @throws CellError if the cell does not hold a transaction.
 *
 * @example
 * if (deletesAccount(readBoc(boc))) console.log("the account was deleted");
 */
export function deletesAccount(cell: Cell): boolean {
  const reader = new CellReader(cell);
  readTag(reader, 4, "Transaction", 7);
  return reader.skip(END_STATUS_AT).uint(2) === NONEXISTENT;
}

/**
 * TL-B `transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32 outmsg_cnt:uint15
 * orig_status:AccountStatus end_status:AccountStatus ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
 * total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction`.
 */
function readTransaction<M>(cell: Cell, readMessage: (cell: Cell) => M) {
  const reader = new CellReader(cell);
  readTag(reader, 4, "Transaction", 7);
  const account = reader.bytes(32);
  const lt = reader.bigUint(64);
  const previousHash = reader.bytes(32);
  const previousLt = reader.bigUint(64);
  const time = reader.uint(32);
  const messages = new CellReader(reader.skip(15 + 2 + 2).ref());
  const incoming = messages.maybeRef();
  const outgoing = messages.maybeRef();
  return {
    account,
    lt,
    previousHash,
    previousLt,
    time,
    inMessage: incoming && readMessage(incoming),
    outMessages: outgoing ? Array.from(readEntries(outgoing, 15), ({ leaf }) => readMessage(leaf.ref())) : [],
    totalFees: readCurrencies(reader),
    stateUpdate: reader.ref(),
    description: reader.ref(),
  };
}

/** Whether a TL-B TransactionDescr of a kind has a storage phase. Leaves the reader at it. */
const STORAGE_PHASE: Readonly<Record<number, (reader: CellReader) => boolean>> = {
  // trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase)
  0: (reader) => reader.skip(1).bit(),
  // trans_storage$0001 storage_ph:TrStoragePhase
  1: () => true,
  // trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase
  2: () => true,
  3: () => true,
  // trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe TrStoragePhase)
  4: (reader) => reader.skip(SPLIT_MERGE_INFO).bit(),
  // trans_split_install$0101 has none; trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase
  6: (reader) => {
    reader.skip(SPLIT_MERGE_INFO);
    return true;
  },
  // trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction storage_ph:(Maybe TrStoragePhase)
  7: (reader) => {
    reader.skip(SPLIT_MERGE_INFO).ref();
    return reader.bit();
  },
};
const SPLIT_MERGE_INFO = 6 + 6 + 256 + 256;

/** TL-B `tr_phase_storage$_ storage_fees_collected:Grams …`. */
function readStorageFee(description: CellReader): bigint {
  const hasPhase = STORAGE_PHASE[readTag(description, 4, "TransactionDescr", 0, 1, 2, 3, 4, 5, 6, 7)]?.(description) ?? false;
  return hasPhase ? description.coins() : 0n;
}
