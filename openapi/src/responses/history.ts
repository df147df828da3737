/** Pages of an account's history for getTransactionsStd, made from the documented history. */
import { type AccountId, sameHash, toBase64Hash, toFriendlyAddress, toRawAddress } from "@chain-query/openapi/address";
import { operationsById } from "@chain-query/openapi/operations";
import type { RequestInputs } from "@chain-query/openapi/requests";
import { successes } from "./documented.ts";

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

const documentedPages = successes(operationsById.getTransactionsStd).map(({ response }) => response.body["result"] as Page);
const history = joinPages(documentedPages);
/** The contract marks the end of a history with lt 0 and a hash of zeros. */
const endOfHistory: TransactionId = { "@type": "internal.transactionId", lt: "0", hash: toBase64Hash(new Uint8Array(32)) };

/**
 * A page of the documented history, as the history of any account. It begins at the transaction with this lt and hash. If the history
 * has no such transaction, all its logical times are shifted, so that its newest transaction has this lt and hash.
 */
export function historyPage(page: object, { address, lt, hash, limit, to_lt }: RequestInputs["getTransactionsStd"]): object {
  const account = { account_address: friendlyForm(address) };
  const transactions = startingAt(lt, hash).filter(({ transaction_id }) => BigInt(transaction_id.lt) > to_lt);
  return {
    ...page,
    transactions: transactions.slice(0, limit).map((transaction) => withAccount(transaction, account)),
    previous_transaction_id: transactions[limit]?.transaction_id ?? endOfHistory,
  };
}

function startingAt(lt?: bigint, hash?: Uint8Array): readonly Transaction[] {
  const [newest] = history;
  if (lt === undefined || hash === undefined || newest === undefined) return history;
  const known = history.findIndex(({ transaction_id: id }) => id.lt === String(lt) && sameHash(id.hash, hash));
  if (known >= 0) return history.slice(known);
  const [first, ...others] = history.map((transaction) => shiftTime(transaction, lt - BigInt(newest.transaction_id.lt)));
  if (first === undefined) return [];
  return [{ ...first, transaction_id: { ...first.transaction_id, hash: toBase64Hash(hash) } }, ...others];
}

function shiftTime({ in_msg, ...transaction }: Transaction, shift: bigint): Transaction {
  const shifted = (lt: string): string => {
    const sum = BigInt(lt) + shift;
    return String(sum < 0n ? 0n : sum);
  };
  const { transaction_id, out_msgs } = transaction;
  return {
    ...transaction,
    transaction_id: { ...transaction_id, lt: shifted(transaction_id.lt) },
    // An external message has no logical time.
    ...(in_msg === undefined
      ? {}
      : { in_msg: in_msg.created_lt === "0" ? in_msg : { ...in_msg, created_lt: shifted(in_msg.created_lt) } }),
    out_msgs: out_msgs.map((message) => ({ ...message, created_lt: shifted(message.created_lt) })),
  };
}

function withAccount({ in_msg, ...transaction }: Transaction, account: { account_address: string }): Transaction {
  return {
    ...transaction,
    address: { ...transaction.address, ...account },
    ...(in_msg === undefined ? {} : { in_msg: { ...in_msg, destination: { ...in_msg.destination, ...account } } }),
    out_msgs: transaction.out_msgs.map((message) => ({ ...message, source: { ...message.source, ...account } })),
  };
}

/** The transactions of consecutive pages, from the first page on. */
function joinPages(pages: Page[]): Transaction[] {
  const joined: Transaction[] = [];
  let page = pages[0];
  while (page !== undefined) {
    joined.push(...page.transactions);
    const { lt } = page.previous_transaction_id;
    page = pages.find(({ transactions }) => transactions[0]?.transaction_id.lt === lt);
  }
  return joined;
}

/** The address as in responses: user-friendly, or raw if the workchain does not fit the byte of the user-friendly form. */
export function friendlyForm({ workchain, hash }: AccountId): string {
  return workchain >= -128 && workchain <= 127 ? toFriendlyAddress({ workchain, hash }) : toRawAddress({ workchain, hash });
}
