export { readTransactionParts, type TransactionParts } from "./block/transaction-parts.ts";
export { type DecodedTransaction, decodeTransaction } from "./decode/transaction.ts";
