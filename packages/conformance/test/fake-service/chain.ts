/**
 * A small chain for the fake service: the transactions, accounts and blocks of the contract's examples, whose cells are genuine,
 * and the transactions and blocks around them, which are made up. Every 120 seconds each shard gets one block; the seqno of the
 * masterchain counts these steps.
 */
import { createHash } from "node:crypto";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import type { OperationId, ResultOf, Schemas } from "@chain-query/types";
import { beginCell } from "@ton/core";
import { rawAddressOf } from "../../src/address.ts";
import { has } from "../../src/json.ts";

export type BlockId = Schemas["chain.blockIdExt"];
export type WireTransaction = ResultOf<"tryLocateResultTx">;
export type Message = WireTransaction["out_msgs"][number];

export const masterShard = "-9223372036854775808";
export const noTransaction: Schemas["internal.transactionId"] = {
  "@type": "internal.transactionId",
  lt: "0",
  hash: `${"A".repeat(43)}=`,
};

const secondsPerStep = 120;

/** In each step the shards' blocks have one such range of logical time, and the masterchain's block has the next. */
const ltsPerBlock = 1_000_000n;

/** The result of an example of the contract. */
export function exampleResult<Id extends OperationId>(operationId: Id, condition: string): ResultOf<Id> {
  const example = examples.find((one) => one.operationId === operationId && one.condition === condition);
  const body: unknown = example?.response.body;
  if (has(body, "result")) return body["result"] as ResultOf<Id>;
  throw new Error(`the contract has no example ${operationId}.${condition}`);
}

const head = exampleResult("getMasterchainInfo", "head");
const headTime = exampleResult("getAddressInformation", "active").sync_utime;

export const last: BlockId = head.last;
export const init: BlockId = head.init;
export const stateRootHash: string = head.state_root_hash;

export interface Shard {
  readonly workchain: number;
  readonly shard: string;
}

export const masterchain: Shard = { workchain: -1, shard: masterShard };
export const shards: readonly Shard[] = [
  masterchain,
  { workchain: 0, shard: "4611686018427387904" },
  { workchain: 0, shard: "-4611686018427387904" },
];

/** The blocks that the examples name, by `blockName`. */
const exampleBlocks = new Map<string, BlockId>();
collectBlocks(examples);

function collectBlocks(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if ("@type" in value && value["@type"] === "chain.blockIdExt")
    exampleBlocks.set(blockName(value as BlockId), value as BlockId);
  for (const part of Object.values(value)) collectBlocks(part);
}

function blockName({ workchain, shard, seqno }: Pick<BlockId, "workchain" | "shard" | "seqno">): string {
  return `${workchain} ${shard} ${seqno}`;
}

/** The block of a shard in a step. */
export function blockAt(step: number, { workchain, shard }: Shard): BlockId {
  const name = blockName({ workchain, shard, seqno: step });
  const hash = (what: string): string => createHash("sha256").update(`${what} ${name}`).digest("base64");
  return (
    exampleBlocks.get(name) ?? {
      "@type": "chain.blockIdExt",
      workchain,
      shard,
      seqno: step,
      root_hash: hash("root"),
      file_hash: hash("file"),
    }
  );
}

export function timeOf(step: number): number {
  return headTime + (step - last.seqno) * secondsPerStep;
}

/** The first step at or after a time. */
export function stepAt(time: number): number {
  return Math.max(1, Math.ceil((time - headTime) / secondsPerStep) + last.seqno);
}

/** The step in which a transaction of a logical time happened. */
export function stepOf(lt: bigint): number {
  return Number((lt / ltsPerBlock + 1n) / 2n);
}

/** Each block uses the first part of its range of logical time; the rest belongs to no block. */
const usedLts = 1000n;

/** The first step whose block ends at or after a logical time. */
export function stepEndingAt(lt: bigint, { workchain }: Shard): number {
  const sinceFirst = lt - usedLts + (workchain === -1 ? 0n : ltsPerBlock);
  return Math.max(1, Number((sinceFirst + 2n * ltsPerBlock - 1n) / (2n * ltsPerBlock)));
}

/** The shard of a workchain with the accounts whose addresses begin with the bits of the given shard. */
export function shardFor(workchain: number, shard: string): Shard | undefined {
  return shards.find(
    (one) => one.workchain === workchain && (workchain === -1 || one.shard.startsWith("-") === shard.startsWith("-")),
  );
}

/** The raw form of an address; other texts, such as the empty source of an external message, stay as they are. */
export function rawOf(text: string): string {
  return rawAddressOf(text) ?? text;
}

/** The transactions of the examples, in the form in which they are located. */
const documented: WireTransaction[] = [
  ...["first-page", "next-page", "last-page"].flatMap((page) => exampleResult("getTransactionsStd", page).transactions),
  exampleResult("tryLocateResultTx", "transfer"),
].map(({ in_msg, out_msgs, ...rest }) => ({
  ...rest,
  "@type": "ext.transaction",
  account: rawOf(rest.address.account_address),
  ...(in_msg === undefined ? {} : { in_msg: located(in_msg) }),
  out_msgs: out_msgs.map(located),
}));

function located({ source, destination, ...message }: Message | Schemas["raw.message"]): Message {
  const textOf = (end: typeof source): string => (typeof end === "string" ? end : end.account_address);
  return { ...message, "@type": "ext.message", source: textOf(source), destination: textOf(destination) };
}

/** A transaction that the examples do not contain, but one of its messages. */
interface Missing {
  readonly address: string;
  readonly lt: bigint;
  readonly in_msg?: Message;
  readonly out_msgs: Message[];
}

/** The senders of documented incoming messages and the recipients of documented outgoing ones, the oldest first. */
function missingTransactions(): Missing[] {
  const consumed = new Set(documented.map(({ in_msg }) => in_msg?.hash));
  const sent = new Set(documented.flatMap(({ out_msgs }) => out_msgs.map(({ hash }) => hash)));
  const incoming = documented
    .flatMap(({ in_msg }) => in_msg ?? [])
    .filter(({ hash, source }) => source !== "" && !sent.has(hash));
  const outgoing = documented.flatMap(({ out_msgs }) => out_msgs).filter(({ hash }) => !consumed.has(hash));
  return [
    ...incoming.map((message) => ({
      address: message.source,
      lt: BigInt(message.created_lt) - 1n,
      out_msgs: [message],
    })),
    ...outgoing.map((message) => ({
      address: message.destination,
      lt: (BigInt(message.created_lt) / ltsPerBlock + 2n) * ltsPerBlock + 1n,
      in_msg: message,
      out_msgs: [],
    })),
  ].sort((a, b) => Number(a.lt - b.lt));
}

/** Makes a transaction; its cell has the fields that the checks read and nothing else. */
function transactionOf({ address, lt, in_msg, out_msgs }: Missing, previous: WireTransaction | undefined): WireTransaction {
  const account = rawOf(address);
  const utime = timeOf(stepOf(lt));
  const { lt: previousLt, hash: previousHash } = previous?.transaction_id ?? noTransaction;
  const cell = beginCell()
    .storeUint(0b0111, 4)
    .storeBuffer(Buffer.from(account.split(":")[1] ?? "", "hex"))
    .storeUint(lt, 64)
    .storeBuffer(Buffer.from(previousHash, "base64"))
    .storeUint(BigInt(previousLt), 64)
    .storeUint(utime, 32)
    .endCell();
  return {
    "@type": "ext.transaction",
    address: { "@type": "accountAddress", account_address: address },
    account,
    utime,
    data: cell.toBoc().toString("base64"),
    transaction_id: { "@type": "internal.transactionId", lt: String(lt), hash: cell.hash().toString("base64") },
    fee: "3",
    storage_fee: "1",
    other_fee: "2",
    ...(in_msg === undefined ? {} : { in_msg }),
    out_msgs,
  };
}

function newestFirst(a: WireTransaction, b: WireTransaction): number {
  return Number(BigInt(b.transaction_id.lt) - BigInt(a.transaction_id.lt));
}

/** All transactions of the chain, newest first. */
export const transactions: readonly WireTransaction[] = completeHistory();

/** Adds the missing transactions from the oldest on, because each names the previous one of its account. */
function completeHistory(): WireTransaction[] {
  const known = [...documented];
  for (const missing of missingTransactions()) {
    const account = rawOf(missing.address);
    const earlier = known.filter((one) => one.account === account && BigInt(one.transaction_id.lt) < missing.lt);
    known.push(transactionOf(missing, earlier.sort(newestFirst)[0]));
  }
  return known.sort(newestFirst);
}

/** The transactions of an account, newest first. */
export function historyOf(account: string): WireTransaction[] {
  return transactions.filter((transaction) => transaction.account === account);
}
