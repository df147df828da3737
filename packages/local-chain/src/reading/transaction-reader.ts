import type { AccountId, ChainReader, HistoryRange, MessageKey, MessageTrace, Transaction } from "../domain.ts";
import { accountKey, messageKey, transactionKey } from "../store/keys.ts";
import { readTrace } from "../store/records/message-trace-record.ts";
import { readTransaction } from "../store/records/transaction-record.ts";
import { seekIn } from "../store/seek.ts";
import type { Tables } from "../store/tables.ts";
import { keptCells } from "./kept-cells.ts";
import { isLt } from "./number-range.ts";

/** Above every logical time that 64 signed bits hold. */
const NEWEST = 2n ** 63n - 1n;

/** Reads transactions: one, an account's history, and those at the two ends of a message. */
export function transactionReader(tables: Tables): Pick<ChainReader, "transaction" | "transactions" | "locate"> {
  const initStateOf = keptCells(tables.cells);
  const seek = seekIn(tables.transactions);

  const transaction = (account: AccountId, lt: bigint): Transaction | undefined => {
    const record = isLt(lt) ? tables.transactions.get(transactionKey(account, lt)) : undefined;
    return record && readTransaction(record, account, initStateOf);
  };

  const newest = (account: AccountId): Transaction | undefined => {
    const record = seek.downwards(transactionKey(account, NEWEST), accountKey(account));
    return record && readTransaction(record, account, initStateOf);
  };

  function* transactions(account: AccountId, { fromLt, aboveLt = 0n }: HistoryRange = {}): IterableIterator<Transaction> {
    // Each transaction names the one before it: no cursor stays open, however long the caller takes.
    let next = fromLt === undefined ? newest(account) : transaction(account, fromLt);
    while (next && next.id.lt > aboveLt) {
      yield next;
      const { lt } = next.previous;
      next = lt > aboveLt ? transaction(account, lt) : undefined;
    }
  }

  return { transaction, transactions, locate: (message) => located(tables, message, transaction) };
}

function located(
  tables: Tables,
  message: MessageKey,
  transaction: (account: AccountId, lt: bigint) => Transaction | undefined,
): MessageTrace {
  const record = isLt(message.createdLt) ? tables.messages.get(messageKey(message)) : undefined;
  if (!record) return {};
  const { producerLt, consumerLt } = readTrace(record);
  const producer = producerLt === undefined ? undefined : transaction(message.source, producerLt);
  const consumer = consumerLt === undefined ? undefined : transaction(message.destination, consumerLt);
  return { ...(producer && { producer }), ...(consumer && { consumer }) };
}
