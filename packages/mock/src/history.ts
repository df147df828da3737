import { type Account, friendlyForm } from "./address.ts";
import { successes } from "./documented.ts";
import type { Members } from "./members.ts";

interface TransactionId {
  "@type": string;
  lt: string;
  hash: string;
}

interface Message {
  source: { account_address: string };
  destination: { account_address: string };
  created_lt: string;
}

interface Transaction {
  address: { account_address: string };
  transaction_id: TransactionId;
  in_msg?: Message;
  out_msgs: Message[];
}

interface Page {
  transactions: Transaction[];
  previous_transaction_id: TransactionId;
}

const pages = successes("getTransactionsStd").map(({ response }) => response.body.result as Page);
const history = chained(pages);
const end: TransactionId = { "@type": "internal.transactionId", lt: "0", hash: Buffer.alloc(32).toString("base64") };

/**
 * A page of the one history that the contract documents, told of any account. It begins at the transaction that lt and hash name;
 * where the history has no such transaction, the whole of it is moved in time so that its newest has that lt and hash.
 */
export function pageOf(page: object, account: Account, { lt, hash, limit = "10", to_lt = "0" }: Members): object {
  const address = { account_address: friendlyForm(account) };
  const listed = from(lt, hash).filter(({ transaction_id }) => BigInt(transaction_id.lt) > BigInt(to_lt));
  return {
    ...page,
    transactions: listed.slice(0, Number(limit)).map((transaction) => ofAccount(transaction, address)),
    previous_transaction_id: listed[Number(limit)]?.transaction_id ?? end,
  };
}

function from(lt: string | undefined, hash = ""): readonly Transaction[] {
  const [newest] = history;
  if (lt === undefined || newest === undefined) return history;
  const text = Buffer.from(hash, "hex").toString("base64");
  const known = history.findIndex(({ transaction_id: id }) => id.lt === lt && id.hash === text);
  if (known >= 0) return history.slice(known);
  const [first, ...others] = history.map((transaction) => moved(transaction, BigInt(lt) - BigInt(newest.transaction_id.lt)));
  return first === undefined ? [] : [{ ...first, transaction_id: { ...first.transaction_id, hash: text } }, ...others];
}

function moved({ in_msg, ...transaction }: Transaction, by: bigint): Transaction {
  const later = (lt: string): string => {
    const sum = BigInt(lt) + by;
    return String(sum < 0n ? 0n : sum);
  };
  const { transaction_id, out_msgs } = transaction;
  return {
    ...transaction,
    transaction_id: { ...transaction_id, lt: later(transaction_id.lt) },
    // A message from outside the chain has no logical time to move.
    ...(in_msg === undefined
      ? {}
      : { in_msg: in_msg.created_lt === "0" ? in_msg : { ...in_msg, created_lt: later(in_msg.created_lt) } }),
    out_msgs: out_msgs.map((message) => ({ ...message, created_lt: later(message.created_lt) })),
  };
}

function ofAccount({ in_msg, ...transaction }: Transaction, to: { account_address: string }): Transaction {
  return {
    ...transaction,
    address: { ...transaction.address, ...to },
    ...(in_msg === undefined ? {} : { in_msg: { ...in_msg, destination: { ...in_msg.destination, ...to } } }),
    out_msgs: transaction.out_msgs.map((message) => ({ ...message, source: { ...message.source, ...to } })),
  };
}

/** The transactions of pages that follow each other, from the first page on. */
function chained(all: Page[]): Transaction[] {
  const chain: Transaction[] = [];
  let page = all[0];
  while (page !== undefined) {
    chain.push(...page.transactions);
    const { lt } = page.previous_transaction_id;
    page = all.find(({ transactions }) => transactions[0]?.transaction_id.lt === lt);
  }
  return chain;
}
