import type { AccountId, Message } from "../../domain.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { readExtraCurrencies, writeExtraCurrencies } from "./currencies-record.ts";

/** A message as it is stored: its initial state, often the same for many, lies elsewhere under its hash. */
export interface StoredMessage extends Omit<Message, "initState"> {
  readonly initStateHash?: Uint8Array;
}

const SOURCE = 1;
const DESTINATION = 2;
const INIT_STATE = 4;
const COMMENT = 8;
const ENCRYPTED = 16;

export function writeMessage(writer: ByteWriter, message: StoredMessage): void {
  const { source, destination, initStateHash, comment } = message;
  writer.u8(
    (source ? SOURCE : 0) |
      (destination ? DESTINATION : 0) |
      (initStateHash ? INIT_STATE : 0) |
      (comment ? COMMENT : 0) |
      (comment?.encrypted ? ENCRYPTED : 0),
  );
  writer.fixed(message.hash).fixed(message.bodyHash);
  if (source) writeAccountId(writer, source);
  if (destination) writeAccountId(writer, destination);
  writer.amount(message.value).amount(message.forwardFee).amount(message.ihrFee).u64(message.createdLt);
  writeExtraCurrencies(writer, message.extraCurrencies);
  writer.bytes(message.body);
  if (initStateHash) writer.fixed(initStateHash);
  if (comment) writer.bytes(comment.bytes);
}

/** @param initStateOf - Finds an initial state by its hash. */
export function readMessage(reader: ByteReader, initStateOf: (hash: Uint8Array) => Uint8Array): Message {
  const flags = reader.u8();
  const hash = reader.fixed(32);
  const bodyHash = reader.fixed(32);
  const source = flags & SOURCE ? readAccountId(reader) : undefined;
  const destination = flags & DESTINATION ? readAccountId(reader) : undefined;
  const value = reader.amount();
  const forwardFee = reader.amount();
  const ihrFee = reader.amount();
  const createdLt = reader.u64();
  const extraCurrencies = readExtraCurrencies(reader);
  const body = reader.bytes();
  return {
    hash,
    ...(source && { source }),
    ...(destination && { destination }),
    value,
    extraCurrencies,
    forwardFee,
    ihrFee,
    createdLt,
    body,
    bodyHash,
    ...(flags & INIT_STATE && { initState: initStateOf(reader.fixed(32)) }),
    ...(flags & COMMENT && { comment: { encrypted: (flags & ENCRYPTED) !== 0, bytes: reader.bytes() } }),
  };
}

function writeAccountId(writer: ByteWriter, { workchain, hash }: AccountId): void {
  writer.i32(workchain).fixed(hash);
}

function readAccountId(reader: ByteReader): AccountId {
  return { workchain: reader.i32(), hash: reader.fixed(32) };
}
