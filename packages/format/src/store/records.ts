import type { AccountStatus } from "../accounts.ts";
import type { ExtraCurrency } from "../currencies.ts";
import type { AccountId, BlockId, TransactionId } from "../identifiers.ts";
import type { BlockHeader, ChainAccount, ChainTransaction, Message } from "./domain.ts";
import { type RecordIo, type RecordType, recordType } from "./record-io.ts";

/** The records that every store of a chain keeps as bytes. The order of the fields in a description is their order on disk. */

/** In place of the size of a queue that is not known. */
const NO_SIZE = 2 ** 32 - 1;

export const headerRecord: RecordType<BlockHeader> = recordType(256, (io, header) => ({
  id: blockId(io, header?.id),
  startLt: io.u64(header?.startLt),
  endLt: io.u64(header?.endLt),
  time: io.u32(header?.time),
  stateRootHash: io.hash(header?.stateRootHash),
  previous: blockId(io, header?.previous),
  masterchainSeqno: io.u32(header?.masterchainSeqno),
  transactionCount: io.u32(header?.transactionCount),
  queueSize: queueSize(io, header),
}));

function queueSize(io: RecordIo, header?: BlockHeader): number | undefined {
  const size = io.u32(header && (header.queueSize ?? NO_SIZE));
  return size === NO_SIZE ? undefined : size;
}

/** A bag of cells in the table of cells. */
export const cellRecord: RecordType<Uint8Array> = recordType(512, (io, boc) => io.bytes(boc));

/** A message with the hash of its initial state. The state is in the table of cells, because many messages share it. */
export interface StoredMessage extends Omit<Message, "initState"> {
  readonly initStateHash?: Uint8Array;
}

/** A transaction; its account is in its key. */
export interface StoredTransaction extends Omit<ChainTransaction, "account" | "inMessage" | "outMessages"> {
  readonly inMessage?: StoredMessage;
  readonly outMessages: readonly StoredMessage[];
}

export const transactionRecord: RecordType<StoredTransaction> = recordType(1024, (io, value) => {
  const id = transactionId(io, value?.id);
  const previous = transactionId(io, value?.previous);
  const time = io.u32(value?.time);
  const masterchainSeqno = io.u32(value?.masterchainSeqno);
  const fee = io.amount(value?.fee);
  const storageFee = io.amount(value?.storageFee);
  const data = io.bytes(value?.data);
  const hasInMessage = io.u8(value && (value.inMessage ? 1 : 0)) === 1;
  const outCount = io.u32(value?.outMessages.length);
  const inMessage = hasInMessage ? message(io, value?.inMessage) : undefined;
  const outMessages = list(io, outCount, value?.outMessages, message);
  const common = { id, previous, time, data, fee, storageFee, outMessages, masterchainSeqno };
  return inMessage ? { ...common, inMessage } : common;
});

/**
 * A version of an account: the fields for readers, and the account's cell for its hash. The code is in the table of cells, because many
 * accounts share it.
 */
export interface StoredAccount extends Omit<ChainAccount, "account" | "block" | "code" | "data"> {
  readonly cell: ShallowCell;
  /** Indexes of the cell's references that are the code and the data. */
  readonly code?: number;
  readonly data?: number;
}

/** A cell whose references are bags of cells, or hashes of entries in the table of cells. */
export interface ShallowCell {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly StoredRef[];
}
export type StoredRef = { readonly boc: Uint8Array } | { readonly kept: Uint8Array };

const STATUSES: readonly AccountStatus[] = ["uninitialized", "active", "frozen"];
const NO_REF = 255;
const NO_BYTES = new Uint8Array(0);

export const accountRecord: RecordType<StoredAccount> = recordType(512, (io, value) => {
  const status = STATUSES[io.u8(value && STATUSES.indexOf(value.status))] ?? "uninitialized";
  const code = io.u8(value && (value.code ?? NO_REF));
  const data = io.u8(value && (value.data ?? NO_REF));
  const balance = io.amount(value?.balance);
  const last = transactionId(io, value?.last);
  const extraCurrencies = currencies(io, value?.extraCurrencies);
  const frozenHash = io.bytes(value && (value.frozenHash ?? NO_BYTES));
  const bitLength = io.u32(value?.cell.bitLength);
  const bytes = io.bytes(value?.cell.bytes);
  const refs = list(io, io.u8(value?.cell.refs.length), value?.cell.refs, cellRef);
  return {
    status,
    balance,
    extraCurrencies,
    ...(code !== NO_REF && { code }),
    ...(data !== NO_REF && { data }),
    ...(frozenHash.length > 0 && { frozenHash }),
    last,
    cell: { bytes, bitLength, refs },
  };
});

const FLAGS = { source: 1, destination: 2, initState: 4, comment: 8, encrypted: 16 } as const;

function flagsOf({ source, destination, initStateHash, comment }: StoredMessage): number {
  return (
    (source ? FLAGS.source : 0) |
    (destination ? FLAGS.destination : 0) |
    (initStateHash ? FLAGS.initState : 0) |
    (comment ? FLAGS.comment : 0) |
    (comment?.encrypted ? FLAGS.encrypted : 0)
  );
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

function message(io: RecordIo, value?: StoredMessage): StoredMessage {
  const flags = io.u8(value && flagsOf(value));
  const hash = io.hash(value?.hash);
  const bodyHash = io.hash(value?.bodyHash);
  const source = flags & FLAGS.source ? accountId(io, value?.source) : undefined;
  const destination = flags & FLAGS.destination ? accountId(io, value?.destination) : undefined;
  const result: Mutable<StoredMessage> = {
    hash,
    bodyHash,
    value: io.amount(value?.value),
    forwardFee: io.amount(value?.forwardFee),
    ihrFee: io.amount(value?.ihrFee),
    createdLt: io.u64(value?.createdLt),
    extraCurrencies: currencies(io, value?.extraCurrencies),
    body: io.bytes(value?.body),
  };
  if (source) result.source = source;
  if (destination) result.destination = destination;
  if (flags & FLAGS.initState) result.initStateHash = io.hash(value?.initStateHash);
  if (flags & FLAGS.comment) {
    result.comment = { encrypted: (flags & FLAGS.encrypted) !== 0, bytes: io.bytes(value?.comment?.bytes) };
  }
  return result;
}

/** A block's id, as a field of other records. */
export function blockId(io: RecordIo, value?: BlockId): BlockId {
  return {
    workchain: io.i32(value?.workchain),
    shard: io.i64(value?.shard),
    seqno: io.u32(value?.seqno),
    rootHash: io.hash(value?.rootHash),
    fileHash: io.hash(value?.fileHash),
  };
}

function transactionId(io: RecordIo, value?: TransactionId): TransactionId {
  return { lt: io.u64(value?.lt), hash: io.hash(value?.hash) };
}

function accountId(io: RecordIo, value?: AccountId): AccountId {
  return { workchain: io.i32(value?.workchain), hash: io.hash(value?.hash) };
}

const NO_CURRENCIES: readonly ExtraCurrency[] = [];

function currencies(io: RecordIo, value?: readonly ExtraCurrency[]): readonly ExtraCurrency[] {
  const count = io.u8(value?.length);
  return count === 0 ? NO_CURRENCIES : list(io, count, value, currency);
}

function currency(io: RecordIo, value?: ExtraCurrency): ExtraCurrency {
  return { id: io.i32(value?.id), amount: io.amount(value?.amount) };
}

function cellRef(io: RecordIo, value?: StoredRef): StoredRef {
  const isKept = io.u8(value && ("kept" in value ? 1 : 0)) === 1;
  if (isKept) return { kept: io.hash(value && "kept" in value ? value.kept : undefined) };
  return { boc: io.bytes(value && "boc" in value ? value.boc : undefined) };
}

/** Several values; their number is another field. */
export function list<T>(
  io: RecordIo,
  count: number,
  values: readonly T[] | undefined,
  item: (io: RecordIo, value?: T) => T,
): T[] {
  const items: T[] = [];
  for (let i = 0; i < count; i++) items.push(item(io, values?.[i]));
  return items;
}
