import {
  accountKey,
  ChainStoreError,
  decodeStoredTransaction,
  type MessageKey,
  type MessageTrace,
  type Transaction,
} from "@chain-query/chain-store";
import { type AccountId, accountName } from "@chain-query/format/identifiers";
import type { ChainReader, HistoryRange } from "../domain.ts";
import { isLt, messageKey, transactionKey } from "../store/keys.ts";
import { traceRecord } from "../store/records.ts";
import { keptCells } from "../store/store-contents.ts";
import { seekIn, type Tables } from "../store/tables.ts";

/** Above every logical time of a transaction: they have 63 bits. */
const NEWEST = 2n ** 63n - 1n;

/** Reads transactions: by id, an account's history, and those that sent and received a message. */
export function transactionReader(tables: Tables): Pick<ChainReader, "transaction" | "transactions" | "locate"> {
  const initStateOf = keptCells(tables.cells);
  const seek = seekIn(tables.transactions);

  const transaction = (account: AccountId, lt: bigint): Transaction | undefined => {
    const record = isLt(lt) ? tables.transactions.get(transactionKey(account, lt)) : undefined;
    return record && decodeStoredTransaction(account, record, initStateOf);
  };

  /** A transaction that another record refers to. */
  const known = (account: AccountId, lt: bigint): Transaction => {
    const found = transaction(account, lt);
    if (!found)
      throw new ChainStoreError(`the chain is damaged: transaction ${lt} of account ${accountName(account)} is missing`);
    return found;
  };

  const newest = (account: AccountId): Transaction | undefined => {
    const record = seek.downwards(transactionKey(account, NEWEST), accountKey(account));
    return record && decodeStoredTransaction(account, record, initStateOf);
  };

  function* transactions(account: AccountId, { fromLt, aboveLt = 0n }: HistoryRange = {}): IterableIterator<Transaction> {
    // Follows the links between transactions, so no LMDB cursor stays open while the caller works.
    let next = fromLt === undefined ? newest(account) : transaction(account, fromLt);
    while (next && next.id.lt > aboveLt) {
      yield next;
      const { lt } = next.previous;
      next = lt > aboveLt ? known(account, lt) : undefined;
    }
  }

  const locate = (message: MessageKey): MessageTrace => {
    const record = isLt(message.createdLt) ? tables.messages.get(messageKey(message)) : undefined;
    if (!record) return {};
    const { producerLt, consumerLt } = traceRecord.decode(record);
    const producer = producerLt === undefined ? undefined : known(message.source, producerLt);
    const consumer = consumerLt === undefined ? undefined : known(message.destination, consumerLt);
    return { ...(producer && { producer }), ...(consumer && { consumer }) };
  };

  return { transaction, transactions, locate };
}
