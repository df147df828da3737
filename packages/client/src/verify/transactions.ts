/** Derives transactions from their cells. */
import { hex } from "@chain-query/format/cells";
import { type AccountId, isSameAccount, NO_TRANSACTION, type TransactionId } from "@chain-query/format/identifiers";
import type { MessageKey, ReadTransaction } from "@chain-query/format/store";
import { describeTransaction, readProvedTransaction } from "@chain-query/proof/accounts";
import type { ProvedStateBlock } from "@chain-query/proof/blocks";
import { extTransaction, rawTransaction, transactionId } from "@chain-query/proof/values";
import type { ResultOf } from "@chain-query/types";
import { bagsOf, MAX_RESULT_CELLS, type Roots, rootOf } from "./bags.ts";
import { requirePlace } from "./blocks.ts";
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
  ensure(list.length <= limit, "transaction", "more than asked");
  const bocOf = bagsOf(answered);
  const transactions: ReadTransaction[] = [];
  let next = start;
  for (const { data } of list) {
    ensure(next.lt > aboveLt, "transaction", `lt ${next.lt} after the last one`);
    const cell = rootOf(data, MAX_RESULT_CELLS);
    const transaction = describeTransaction({ ...readProvedTransaction(account, next, cell), account, cell }, bocOf);
    transactions.push(transaction);
    next = transaction.previous;
  }
  const isWhole = list.length === limit || next.lt <= aboveLt;
  ensure(isWhole, "transaction", `no lt ${next.lt}, which archival: true may reach`);
  const rest = list.length > 0 ? next : NO_TRANSACTION;
  return {
    result: {
      "@type": "raw.transactions",
      transactions: transactions.map(rawTransaction),
      previous_transaction_id: transactionId(rest),
    },
    proved: [...transactions.map(({ id }) => id), rest],
  };
}

/** Checks that a block has the transaction in an answer before it is decoded, and that it is the one at an end of a message. */
export function deriveLocated(
  head: ProvedStateBlock,
  { source, destination, createdLt }: MessageKey,
  end: "sender" | "receiver",
  answered: ResultOf<"tryLocateSourceTx">,
  roots: Roots,
): ResultOf<"tryLocateSourceTx"> {
  const account = end === "sender" ? source : destination;
  const cell = rootOf(answered.data, MAX_RESULT_CELLS);
  // The lt says only where to look.
  const id = { lt: BigInt.asUintN(64, BigInt(answered.transaction_id.lt)), hash: cell.hash };
  requirePlace(head, account, id, roots);
  const decoded = readProvedTransaction(account, id, cell);
  const { inMessage, outMessages } = decoded;
  const messages = end === "sender" ? outMessages : inMessage ? [inMessage] : [];
  const isOwn = messages.some(
    (message) =>
      message.createdLt === createdLt &&
      isSameAccount(message.source, source) &&
      isSameAccount(message.destination, destination),
  );
  ensure(isOwn, "transaction", `not the ${end} of the message`);
  return extTransaction(describeTransaction({ ...decoded, account, cell }, bagsOf(answered)));
}

/**
 * Keeps proved transactions, from which later pages may start.
 *
 * @param most - Those that were kept first go.
 */
export function pageStarts(most = 10_000) {
  const known = new Map<string, TransactionId>();
  const keyOf = ({ workchain, hash }: AccountId, lt: bigint) => `${workchain}:${hex(hash)}:${lt}`;
  return {
    keep(account: AccountId, id: TransactionId): void {
      const key = keyOf(account, id.lt);
      // A page that is read again is kept as long as a new one.
      known.delete(key);
      known.set(key, id);
      const [oldest = ""] = known.keys();
      if (known.size > most) known.delete(oldest);
    },
    find: (account: AccountId, lt: bigint): TransactionId | undefined => known.get(keyOf(account, lt)),
  };
}
