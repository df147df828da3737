import type { Cell } from "@chain-query/format/cells";
import { hex, isEqual } from "@chain-query/format/cells";
import { type AccountId, type BlockId, containsAccount, type TransactionId } from "@chain-query/format/identifiers";
import { type DecodedTransaction, decodeTransaction } from "@chain-query/format/transactions";
import type { LiteAnswer } from "@chain-query/lite-protocol/tl";
import { checked, formatBlock, readData, unproven } from "./evidence.ts";

/** Transactions in one answer at most. */
const MAX_PAGE = 16;

/** A transaction of an account's history. */
interface HistoryTransaction extends DecodedTransaction {
  readonly cell: Cell;
  /** The block that the server reports. Unverified, except for its shard. */
  readonly block: BlockId;
}

/** A part of an account's history, newest first. */
export interface HistoryPage {
  readonly transactions: readonly HistoryTransaction[];
  /** The transaction before the last one of the page; lt 0 if the history ends here. A server may end a page early. */
  readonly next: TransactionId;
}

/**
 * Checks a part of an account's history: the first transaction has the trusted hash, and each other one the hash in the transaction
 * before it on the page. A server may still end the page early.
 */
export function checkHistory(
  asked: { readonly account: AccountId; readonly from: TransactionId; readonly count: number },
  answer: LiteAnswer<"getTransactions">,
): HistoryPage {
  return checked("a history", () => {
    const { account, from } = asked;
    const cells = readData(answer.transactions, "transactions", MAX_PAGE);
    const most = Math.min(asked.count, MAX_PAGE);
    if (cells.length > most) throw unproven(`a history must have at most ${most} transactions, got ${cells.length}`);
    if (cells.length !== answer.ids.length) {
      throw unproven(`a history of ${cells.length} transactions must name as many blocks, got ${answer.ids.length}`);
    }
    const transactions: HistoryTransaction[] = [];
    let next = from;
    for (const [i, cell] of cells.entries()) {
      const block = answer.ids[i] as BlockId;
      const transaction = checkNext(account, next, cell, block);
      transactions.push({ ...transaction, cell, block });
      next = transaction.previous;
    }
    return { transactions, next };
  });
}

function checkNext(account: AccountId, { lt, hash }: TransactionId, cell: Cell, block: BlockId): DecodedTransaction {
  if (!isEqual(cell.hash, hash))
    throw unproven(`the transaction at lt ${lt} must have hash ${hex(hash)}, got ${hex(cell.hash)}`);
  const transaction = decodeTransaction(cell);
  if (transaction.id.lt !== lt || transaction.previous.lt >= lt) {
    const { id, previous } = transaction;
    throw unproven(
      `the transaction ${hex(hash)} must have lt ${lt} and follow an earlier one, got ${id.lt} after ${previous.lt}`,
    );
  }
  if (!isEqual(transaction.accountHash, account.hash)) {
    throw unproven(`the transaction at lt ${lt} must be of account ${hex(account.hash)}, got ${hex(transaction.accountHash)}`);
  }
  if (!containsAccount(block, account))
    throw unproven(`${formatBlock(block)} cannot hold a transaction of ${hex(account.hash)}`);
  return transaction;
}
