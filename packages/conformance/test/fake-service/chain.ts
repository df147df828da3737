/**
 * A small chain to answer from: the history that the contract's examples tell, whose cells are genuine, and around it the accounts,
 * transactions and blocks that make it whole. One block of the masterchain and of each shard every two minutes.
 */
import { createHash } from "node:crypto";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { isObject } from "../../src/json.ts";

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
  source: string;
  destination: string;
  created_lt: string;
  [member: string]: unknown;
}

export interface Transaction {
  "@type": string;
  address: { "@type": string; account_address: string };
  account: string;
  utime: number;
  data: string;
  transaction_id: { "@type": string; lt: string; hash: string };
  fee: string;
  storage_fee: string;
  other_fee: string;
  in_msg?: Message;
  out_msgs: Message[];
}

export const masterShard = "-9223372036854775808";
export const noTransaction: Transaction["transaction_id"] = {
  "@type": "internal.transactionId",
  lt: "0",
  hash: `${"A".repeat(43)}=`,
};

const pace = 120;
/** At each moment the shards' blocks take one such stretch of logical time, and the masterchain's takes the next. */
const ltsPerBlock = 1_000_000n;

/** The result of an example of the contract. */
export function answered(operationId: string, condition: string): Record<string, unknown> {
  const example = examples.find((one) => one.operationId === operationId && one.condition === condition);
  const body: unknown = example?.response.body;
  if (isObject(body) && isObject(body["result"])) return { ...body["result"] };
  throw new Error(`the contract has no example ${operationId}.${condition}`);
}

const head = answered("getMasterchainInfo", "head") as unknown as { last: BlockId; init: BlockId; state_root_hash: string };
const headTime = Number(answered("getAddressInformation", "active")["sync_utime"]);

export const last: BlockId = head.last;
export const init: BlockId = head.init;
export const stateRootHash: string = head.state_root_hash;

/** What each shard's seqno is ahead of the masterchain's. */
export const shards: readonly { workchain: number; shard: string; ahead: number }[] = [
  { workchain: -1, shard: masterShard, ahead: 0 },
  { workchain: 0, shard: "4611686018427387904", ahead: 0 },
  { workchain: 0, shard: "-4611686018427387904", ahead: 0 },
];

const named = new Map<string, BlockId>();
noteBlocks(examples);

function noteBlocks(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if ("@type" in value && value["@type"] === "chain.blockIdExt") named.set(blockName(value as BlockId), value as BlockId);
  for (const part of Object.values(value)) noteBlocks(part);
}

function blockName({ workchain, shard, seqno }: Pick<BlockId, "workchain" | "shard" | "seqno">): string {
  return `${workchain} ${shard} ${seqno}`;
}

/** A block by the number of its moment, which is the seqno of the masterchain's block of that moment. */
export function blockAt(moment: number, { workchain, shard, ahead }: (typeof shards)[number]): BlockId {
  const seqno = moment + ahead;
  const name = blockName({ workchain, shard, seqno });
  const hash = (what: string): string => createHash("sha256").update(`${what} ${name}`).digest("base64");
  return (
    named.get(name) ?? {
      "@type": "chain.blockIdExt",
      workchain,
      shard,
      seqno,
      root_hash: hash("root"),
      file_hash: hash("file"),
    }
  );
}

export function timeOf(moment: number): number {
  return headTime + (moment - last.seqno) * pace;
}

/** The first moment at or after a time. */
export function momentAt(time: number): number {
  return Math.max(1, Math.ceil((time - headTime) / pace) + last.seqno);
}

export function momentOf(lt: bigint): number {
  return Number((lt / ltsPerBlock + 1n) / 2n);
}

/** The shard of a workchain that holds the same accounts as the shard asked for, or the first of them. */
export function shardFor(workchain: number, shard: string): (typeof shards)[number] | undefined {
  return shards.find(
    (one) =>
      one.workchain === workchain && (one.shard === shard || workchain === -1 || isNegative(one.shard) === isNegative(shard)),
  );
}

function isNegative(shard: string): boolean {
  return shard.startsWith("-") && shard !== masterShard;
}

export function rawOf(text: string): string {
  if (text === "" || text.includes(":")) return text.toUpperCase();
  const bytes = Buffer.from(text, "base64url");
  return `${bytes.readInt8(1)}:${bytes.toString("hex", 2, 34).toUpperCase()}`;
}

/** Everything of the pages and of the located transactions, in the form that locating shows. */
const genuine: Transaction[] = [
  ...["first-page", "next-page", "last-page"].flatMap(
    (page) => answered("getTransactionsStd", page)["transactions"] as Transaction[],
  ),
  answered("tryLocateResultTx", "transfer") as unknown as Transaction,
].map((transaction) => {
  const located = (message: Message): Message => ({
    ...message,
    "@type": "ext.message",
    source: endOf(message.source),
    destination: endOf(message.destination),
  });
  const { in_msg, out_msgs, ...rest } = transaction;
  return {
    ...rest,
    "@type": "ext.transaction",
    account: rawOf(transaction.address.account_address),
    ...(in_msg === undefined ? {} : { in_msg: located(in_msg) }),
    out_msgs: out_msgs.map(located),
  };
});

function endOf(end: unknown): string {
  return isObject(end) ? String(end["account_address"]) : String(end);
}

/** A transaction that the examples do not show, but whose message they do. */
interface Plan {
  readonly address: string;
  readonly lt: bigint;
  readonly in_msg?: Message;
  readonly out_msgs: Message[];
}

/** What sent the messages that came in, and what consumed those that went out; the oldest first. */
function plans(): Plan[] {
  const consumed = new Set(genuine.map(({ in_msg }) => in_msg?.hash));
  const sent = new Set(genuine.flatMap(({ out_msgs }) => out_msgs.map(({ hash }) => hash)));
  const before = genuine.flatMap(({ in_msg }) => in_msg ?? []).filter(({ hash, source }) => source !== "" && !sent.has(hash));
  const after = genuine.flatMap(({ out_msgs }) => out_msgs).filter(({ hash }) => !consumed.has(hash));
  return [
    // The message is the second that its transaction sent in the examples' story, or the first.
    ...before.map((message) => ({ address: message.source, lt: BigInt(message.created_lt) - 1n, out_msgs: [message] })),
    ...after.map((message) => ({
      address: message.destination,
      lt: (BigInt(message.created_lt) / ltsPerBlock + 2n) * ltsPerBlock + 1n,
      in_msg: message,
      out_msgs: [],
    })),
  ].sort((a, b) => Number(a.lt - b.lt));
}

/** Makes a transaction whose cell holds what every transaction's begins with, and no more. */
function made({ address, lt, in_msg, out_msgs }: Plan, previous: Transaction | undefined): Transaction {
  const account = rawOf(address);
  const utime = timeOf(momentOf(lt));
  const { lt: previousLt, hash: previousHash } = previous?.transaction_id ?? noTransaction;
  const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, "0");
  const digits = [
    "7",
    account.split(":")[1],
    hex(lt, 16),
    hexOf(previousHash),
    hex(BigInt(previousLt), 16),
    hex(BigInt(utime), 8),
    "8",
  ];
  const bytes = Buffer.from(digits.join(""), "hex");
  const cell = Buffer.concat([Uint8Array.of(0, bytes.length * 2 - 1), bytes]);
  return {
    "@type": "ext.transaction",
    address: { "@type": "accountAddress", account_address: address },
    account,
    utime,
    data: Buffer.concat([Buffer.from("b5ee9c720101010100", "hex"), Uint8Array.of(cell.length, 0), cell]).toString("base64"),
    transaction_id: {
      "@type": "internal.transactionId",
      lt: String(lt),
      hash: createHash("sha256").update(cell).digest("base64"),
    },
    fee: "3",
    storage_fee: "1",
    other_fee: "2",
    ...(in_msg === undefined ? {} : { in_msg }),
    out_msgs,
  };
}

function hexOf(hash: string): string {
  return Buffer.from(hash, "base64").toString("hex");
}

function newestFirst(a: Transaction, b: Transaction): number {
  return Number(BigInt(b.transaction_id.lt) - BigInt(a.transaction_id.lt));
}

/** All transactions of the chain, newest first. */
export const transactions: readonly Transaction[] = whole();

/** Each transaction names the one before it of its account, so the oldest is made first. */
function whole(): Transaction[] {
  const known = [...genuine];
  for (const plan of plans()) {
    const account = rawOf(plan.address);
    const earlier = known.filter((one) => one.account === account && BigInt(one.transaction_id.lt) < plan.lt);
    known.push(made(plan, earlier.sort(newestFirst)[0]));
  }
  return known.sort(newestFirst);
}

/** The transactions of an account, newest first. */
export function historyOf(account: string): Transaction[] {
  return transactions.filter((transaction) => transaction.account === account);
}
