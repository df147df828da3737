/**
 * The examples as the one story that they tell. Their shapes are checked against the contract in examples.test.ts, so here they
 * are taken to be what their operation answers.
 */
import type { DocumentedExample } from "../src/operation.ts";
import { examples } from "./contract.ts";
import { rawAddress } from "./encoding.ts";

export interface TransactionId {
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

export interface Transaction {
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
  transactions: Transaction[];
  previous_transaction_id: TransactionId;
}

export interface AccountState {
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

export interface Head {
  last: BlockId;
  init: BlockId;
}

export interface Consensus {
  consensus_block: number;
  timestamp: number;
}

/** The three things that identify a message, with addresses in raw form. */
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

/** What was asked, whether in a query or in a body. */
export function asked(name: string): Record<string, unknown> {
  const { query, body } = example(name).request;
  return { ...query, ...(body as Record<string, unknown> | undefined) };
}

export function answered<Result>(name: string): Result {
  return (example(name).response.body as { result: Result }).result;
}

/** The second in which a request was answered, from the identifier that the service made for it. */
export function answeredAt(name: string): number {
  return Number(String((example(name).response.body as { "@extra": string })["@extra"]).split(":")[0]);
}

export function keyOf(message: Message): MessageKey {
  return { source: end(message.source), destination: end(message.destination), created_lt: message.created_lt };
}

export function askedKey(name: string): MessageKey {
  const { source, destination, created_lt } = asked(name);
  return { source: rawAddress(String(source)), destination: rawAddress(String(destination)), created_lt: String(created_lt) };
}

/** A transaction as both of its forms show it. */
export function commonForm(transaction: Transaction): unknown {
  const { in_msg, out_msgs } = transaction;
  return {
    ...transaction,
    "@type": "transaction",
    account: end(transaction.address),
    in_msg: in_msg === undefined ? undefined : commonMessage(in_msg),
    out_msgs: out_msgs.map(commonMessage),
  };
}

/** A message as both of its forms show it. */
export function commonMessage(message: Message): unknown {
  return { ...message, ...keyOf(message), "@type": "message", message: undefined };
}

function end(address: Message["source"]): string {
  return rawAddress(typeof address === "string" ? address : address.account_address);
}
