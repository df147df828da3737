import type { AccountId, Transaction, TransactionId } from "../../domain.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { readMessage, type StoredMessage, writeMessage } from "./message-record.ts";

/** A transaction as it is stored; its account and lt are its key. */
export interface StoredTransaction extends Omit<Transaction, "account" | "inMessage" | "outMessages"> {
  readonly inMessage?: StoredMessage;
  readonly outMessages: readonly StoredMessage[];
}

export function writeTransaction(transaction: StoredTransaction): Uint8Array {
  const { id, previous, inMessage, outMessages } = transaction;
  const writer = new ByteWriter(1024);
  writer.u64(id.lt).fixed(id.hash).u64(previous.lt).fixed(previous.hash);
  writer.u32(transaction.time).u32(transaction.masterchainSeqno);
  writer.amount(transaction.fee).amount(transaction.storageFee);
  writer.bytes(transaction.data);
  writer.u8(inMessage ? 1 : 0).u32(outMessages.length);
  if (inMessage) writeMessage(writer, inMessage);
  for (const message of outMessages) writeMessage(writer, message);
  return writer.finish();
}

/** @param initStateOf - Finds an initial state by its hash. */
export function readTransaction(
  record: Uint8Array,
  account: AccountId,
  initStateOf: (hash: Uint8Array) => Uint8Array,
): Transaction {
  const reader = new ByteReader(record);
  const id = readTransactionId(reader);
  const previous = readTransactionId(reader);
  const time = reader.u32();
  const masterchainSeqno = reader.u32();
  const fee = reader.amount();
  const storageFee = reader.amount();
  const data = reader.bytes();
  const hasInMessage = reader.u8() === 1;
  const outCount = reader.u32();
  const inMessage = hasInMessage ? readMessage(reader, initStateOf) : undefined;
  const outMessages = [];
  for (let i = 0; i < outCount; i++) outMessages.push(readMessage(reader, initStateOf));
  reader.end();
  return {
    account,
    id,
    previous,
    time,
    data,
    fee,
    storageFee,
    ...(inMessage && { inMessage }),
    outMessages,
    masterchainSeqno,
  };
}

function readTransactionId(reader: ByteReader): TransactionId {
  return { lt: reader.u64(), hash: reader.fixed(32) };
}
