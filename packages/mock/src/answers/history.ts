import { type AccountId, sameHash, toBase64Hash, toFriendlyAddress, toRawAddress } from "@chain-query/openapi/address";
import { operationsById } from "@chain-query/openapi/operations";
import type { RequestInputs } from "@chain-query/openapi/requests";
import { successes } from "./operations.ts";

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

const pages = successes(operationsById.getTransactionsStd).map(({ response }) => response.body["result"] as Page);
const history = chained(pages);
const end: TransactionId = { "@type": "internal.transactionId", lt: "0", hash: toBase64Hash(new Uint8Array(32)) };

/**
 * A page of the one documented history, as the history of any account. It begins at the transaction that lt and hash name. If there
 * is no such transaction, the whole history is moved in time until its newest transaction has that lt and hash.
 */
export function pageOf(page: object, { address, lt, hash, limit, to_lt }: RequestInputs["getTransactionsStd"]): object {
  const account = { account_address: friendlyForm(address) };
  const listed = startingAt(lt, hash).filter(({ transaction_id }) => BigInt(transaction_id.lt) > to_lt);
  return {
    ...page,
    transactions: listed.slice(0, limit).map((transaction) => ofAccount(transaction, account)),
    previous_transaction_id: listed[limit]?.transaction_id ?? end,
  };
}

function startingAt(lt?: bigint, hash?: Uint8Array): readonly Transaction[] {
  const [newest] = history;
  if (lt === undefined || hash === undefined || newest === undefined) return history;
  const known = history.findIndex(({ transaction_id: id }) => id.lt === String(lt) && sameHash(id.hash, hash));
  if (known >= 0) return history.slice(known);
  const [first, ...others] = history.map((transaction) => moved(transaction, lt - BigInt(newest.transaction_id.lt)));
  if (first === undefined) return [];
  return [{ ...first, transaction_id: { ...first.transaction_id, hash: toBase64Hash(hash) } }, ...others];
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
    // An external message has no logical time.
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

/** The transactions of consecutive pages, from the first page on. */
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

/** The form of `account_address` in answers. A workchain that does not fit its byte leaves the raw form. */
export function friendlyForm({ workchain, hash }: AccountId): string {
  return workchain >= -128 && workchain <= 127 ? toFriendlyAddress({ workchain, hash }) : toRawAddress({ workchain, hash });
}
