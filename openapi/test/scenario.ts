/**
 * The examples of the contract, which belong to one scenario. examples.test.ts checks their shapes; here they have the types of their
 * operations.
 */

import { toRawAddress } from "../src/address.ts";
import type { DocumentedExample } from "../src/operation.ts";
import { examples } from "./contract.ts";

interface TransactionId {
  lt: string;
  hash: string;
}

export interface BlockId {
  "@type": string;
  workchain: number;
  shard: string;
  seqno: number;
  root_hash: string;
  file_hash: string;
}

export interface Message {
  "@type": string;
  hash: string;
  source: string | { account_address: string };
  destination: string | { account_address: string };
  value: string;
  created_lt: string;
  message?: string;
}

export interface ExampleTransaction {
  "@type": string;
  address: { account_address: string };
  account?: string;
  utime: number;
  transaction_id: TransactionId;
  fee: string;
  storage_fee: string;
  other_fee: string;
  in_msg?: Message;
  out_msgs: Message[];
}

export interface Page {
  transactions: ExampleTransaction[];
  previous_transaction_id: TransactionId;
}

export interface ExampleAccount {
  balance: string;
  last_transaction_id: TransactionId;
  block_id: BlockId;
  code: string;
  data: string;
  frozen_hash: string;
  sync_utime: number;
  state: string;
}

export interface Queues {
  shards: { id: BlockId; size: number }[];
}

export interface ExampleHead {
  last: BlockId;
  init: BlockId;
}

export interface Consensus {
  consensus_block: number;
  timestamp: number;
}

/** The three values that identify a message, with addresses in raw form. */
export interface MessageKey {
  source: string;
  destination: string;
  created_lt: string;
}

export function example(name: string): DocumentedExample {
  const found = examples.find(({ operationId, condition }) => `${operationId}.${condition}` === name);
  if (found === undefined) throw new Error(`there is no example ${name}`);
  return found;
}

/** The input of a request, from its query and its body. */
export function inputOf(name: string): Record<string, unknown> {
  const { query, body } = example(name).request;
  return { ...query, ...(body as Record<string, unknown> | undefined) };
}

export function resultOf<Result>(name: string): Result {
  return (example(name).response.body as { result: Result }).result;
}

/** The time of a response in Unix seconds, from its `@extra`. */
export function respondedAt(name: string): number {
  return Number(String((example(name).response.body as { "@extra": string })["@extra"]).split(":")[0]);
}

export function keyOf(message: Message): MessageKey {
  return { source: end(message.source), destination: end(message.destination), created_lt: message.created_lt };
}

export function keyOfInput(name: string): MessageKey {
  const { source, destination, created_lt } = inputOf(name);
  return { source: rawAddress(String(source)), destination: rawAddress(String(destination)), created_lt: String(created_lt) };
}

/** The common part of the two forms of a transaction. */
export function commonForm(transaction: ExampleTransaction): unknown {
  const { in_msg, out_msgs } = transaction;
  return {
    ...transaction,
    "@type": "transaction",
    account: end(transaction.address),
    in_msg: in_msg === undefined ? undefined : commonMessage(in_msg),
    out_msgs: out_msgs.map(commonMessage),
  };
}

/** The common part of the two forms of a message. */
export function commonMessage(message: Message): unknown {
  return { ...message, ...keyOf(message), "@type": "message", message: undefined };
}

function end(address: Message["source"]): string {
  return rawAddress(typeof address === "string" ? address : address.account_address);
}

/** The raw form of an address; the empty text stays empty. */
export function rawAddress(text: string): string {
  return text === "" ? "" : toRawAddress(text);
}

/** Whether bytes are a bag of cells whose checksum, if present, is right. */
export function isBagOfCells(bytes: Buffer): boolean {
  if (bytes.toString("hex", 0, 4) !== "b5ee9c72") return false;
  const hasChecksum = ((bytes[4] ?? 0) & 0x40) !== 0;
  return !hasChecksum || crc32c(bytes.subarray(0, -4)) === bytes.readUInt32LE(bytes.length - 4);
}

/** Whether a shard holds an account: a shard is the first bits of its accounts, then a 1, then zeros. */
export function shardHolds(shard: string, account: string): boolean {
  const bits = (value: bigint): string => BigInt.asUintN(64, value).toString(2).padStart(64, "0");
  const prefix = bits(BigInt(shard)).replace(/10*$/, "");
  const [, hex = ""] = rawAddress(account).split(":");
  return bits(BigInt(`0x${hex.slice(0, 16)}`)).startsWith(prefix);
}

function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
