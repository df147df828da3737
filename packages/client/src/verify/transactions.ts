/** Derives transactions from their cells. */
import { type Cell, isEqual } from "@chain-query/format/cells";
import { type AccountId, isSameAccount, type TransactionId } from "@chain-query/format/identifiers";
import type { MessageKey, ReadTransaction } from "@chain-query/format/store";
import { decodeTransaction } from "@chain-query/format/transactions";
import { describeTransaction, readProvedTransaction } from "@chain-query/proof/accounts";
import { extTransaction, noTransaction, rawTransaction, transactionId } from "@chain-query/proof/values";
import type { ResultOf } from "@chain-query/types";
import { bagsOf, rootOf } from "./bags.ts";
import { ensure } from "./proof-error.ts";

/** The page that was asked for. */
interface PageQuestion {
  readonly account: AccountId;
  /** Proved to be of the account; lt 0 if it has no transaction. */
  readonly start: TransactionId;
  readonly limit: number;
  /** Only transactions above it. */
  readonly aboveLt: bigint;
}

/** Each transaction has the hash in the one before it, the first one that of the start. Nothing of the page is left out. */
export function derivePage(
  { account, start, limit, aboveLt }: PageQuestion,
  answered: ResultOf<"getTransactionsStd">,
): { readonly result: ResultOf<"getTransactionsStd">; readonly proved: readonly TransactionId[] } {
  const list = answered.transactions;
  ensure(list.length <= limit, "transaction", "more than the limit");
  const bocOf = bagsOf(answered);
  const transactions: ReadTransaction[] = [];
  let next = start;
  for (const { data } of list) {
    ensure(next.lt > aboveLt, "transaction", `lt ${next.lt} after the last one`);
    const cell = rootOf(data);
    const transaction = describeTransaction({ ...readProvedTransaction(account, next, cell), account, cell }, bocOf);
    transactions.push(transaction);
    next = transaction.previous;
  }
  const isWhole = list.length === limit || next.lt <= aboveLt;
  ensure(isWhole, "transaction", `no lt ${next.lt}, which archival: true may reach`);
  const rest = list.length > 0 ? next : noTransaction;
  return {
    result: {
      "@type": "raw.transactions",
      transactions: transactions.map(rawTransaction),
      previous_transaction_id: transactionId(rest),
    },
    proved: [...transactions.map(({ id }) => id), rest],
  };
}

/** A located transaction whose place in a block is still to be checked. */
export interface LocatedTransaction {
  readonly lt: bigint;
  readonly cell: Cell;
  readonly result: ResultOf<"tryLocateSourceTx">;
}

/** Checks that the transaction in an answer is the one at an end of a message. */
export function deriveLocated(
  { source, destination, createdLt }: MessageKey,
  end: "sender" | "receiver",
  answered: ResultOf<"tryLocateSourceTx">,
): LocatedTransaction {
  const account = end === "sender" ? source : destination;
  const cell = rootOf(answered.data);
  const decoded = decodeTransaction(cell);
  const { inMessage, outMessages, accountHash, id } = decoded;
  const messages = end === "sender" ? outMessages : inMessage ? [inMessage] : [];
  const isOwn = messages.some(
    (message) =>
      message.createdLt === createdLt &&
      isSameAccount(message.source, source) &&
      isSameAccount(message.destination, destination),
  );
  ensure(isOwn && isEqual(accountHash, account.hash), "transaction", `lt ${id.lt} is not the ${end} of the message`);
  return { lt: id.lt, cell, result: extTransaction(describeTransaction({ ...decoded, account, cell }, bagsOf(answered))) };
}
