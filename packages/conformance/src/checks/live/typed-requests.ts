/** What the live checks read of answers. The schemas have been checked before, so the shapes are taken to be right. */

import { unexplained } from "../../body/judge-body.ts";
import { requestOf } from "../../contract/documented-requests.ts";
import { valueAt } from "../../json.ts";
import { answerOf, type Exchange } from "../../service/exchange.ts";
import { deviationsOf } from "../answers/every-answer.ts";
import { type Breach, type Context, gotOf, NotApplicable, Unserved } from "../check.ts";

export interface BlockId {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

export interface TransactionId {
  readonly lt: string;
  readonly hash: string;
}

export interface Message {
  readonly hash?: string;
  readonly source: string | { readonly account_address: string };
  readonly destination: string | { readonly account_address: string };
  readonly created_lt: string;
  readonly body_hash: string;
  readonly msg_data: { readonly "@type": string; readonly body?: string };
}

export interface Transaction {
  readonly address?: { readonly account_address: string };
  readonly utime: number;
  readonly data: string;
  readonly transaction_id: TransactionId;
  readonly in_msg?: Message;
  readonly out_msgs: readonly Message[];
}

export interface Page {
  readonly transactions: readonly Transaction[];
  readonly previous_transaction_id: TransactionId;
}

export interface AccountState {
  readonly balance: string;
  readonly last_transaction_id: TransactionId;
  readonly block_id: BlockId;
  readonly code: string;
  readonly data: string;
  readonly frozen_hash: string;
  readonly sync_utime: number;
  readonly state: string;
}

export interface Head {
  readonly last: BlockId;
  readonly init: BlockId;
}

export interface Queues {
  readonly shards: readonly { readonly id: BlockId }[];
}

export interface Consensus {
  readonly consensus_block: number;
}

interface Results {
  getAddressInformation: AccountState;
  getConsensusBlock: Consensus;
  getMasterchainInfo: Head;
  getOutMsgQueueSize: Queues;
  getTransactionsStd: Page;
  lookupBlock: BlockId;
  tryLocateResultTx: Transaction;
  tryLocateSourceTx: Transaction;
}

/** A result and the exchange that brought it. */
export interface Found<Result> {
  readonly result: Result;
  readonly exchange: Exchange;
}

export const masterchain = { workchain: -1, shard: "-9223372036854775808" } as const;

/** Asks for something that has to be there. */
export async function found<Operation extends keyof Results>(
  context: Context,
  operation: Operation,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Found<Results[Operation]>> {
  const answer = await tried(context, operation, input);
  if (answer.result !== undefined) return { result: answer.result, exchange: answer.exchange };
  throw new Unserved(breachOf(answer.exchange, "200 with a result"));
}

/** Asks for something that may not be there: the result is undefined where the answer is a failure. */
export async function tried<Operation extends keyof Results>(
  context: Context,
  operation: Operation,
  input: Readonly<Record<string, unknown>> = {},
): Promise<{ result: Results[Operation] | undefined; exchange: Exchange }> {
  const exchange = await context.ask(requestOf(operation, input));
  const answer = answerOf(exchange);
  if (answer === undefined) throw new Unserved(breachOf(exchange, "an answer"));
  if (answer.status !== 200) return { result: undefined, exchange };
  const off = deviationsOf(operation, answer).find(({ rule, match }) => rule.startsWith("#") && match === unexplained);
  // That the answer is off the contract is told by the laws of answers, once and not by every check that needed it.
  if (off !== undefined || answer.body === undefined) {
    throw new NotApplicable(`an answer of ${operation} is off the contract${off === undefined ? "" : ` at ${off.path}`}`);
  }
  return { result: valueAt(answer.body, ["result"]) as Results[Operation], exchange };
}

export function breachOf(exchange: Exchange, expected: string, got: string = gotOf(exchange)): Breach {
  return { exchange, expected, got };
}

/** Nothing where the condition holds. */
export function unless(holds: boolean, exchange: Exchange, expected: string, got: string): Breach[] {
  return holds ? [] : [breachOf(exchange, expected, got)];
}

export function isSameBlock(a: BlockId, b: BlockId): boolean {
  return blockName(a) === blockName(b) && a.root_hash === b.root_hash && a.file_hash === b.file_hash;
}

export function blockName({ workchain, shard, seqno }: BlockId): string {
  return `block (${workchain}, ${shard}, ${seqno})`;
}

/** A text of an end of a message, in either form of the message. */
export function endOf(end: Message["source"]): string {
  return typeof end === "string" ? end : end.account_address;
}

/** Finds out once what all checks of a run want to know. */
export function once<Value>(context: Context, name: string, find: () => Promise<Value>): Promise<Value> {
  const known = context.memory.get(name) as Promise<Value> | undefined;
  if (known !== undefined) return known;
  const finding = find();
  context.memory.set(name, finding);
  return finding;
}
