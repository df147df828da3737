/**
 * Helpers beside the client: bigints, amounts, text comments, and watching an account. The main entry does not import it, and a bundle has
 * only the used members.
 *
 * @module
 */
export { type AnyMessage, messageText } from "./extras/message.ts";
export { formatNano, type NanoFormat, parseNano } from "./extras/nano.ts";
export type { WatchOptions } from "./extras/polling.ts";
export { type WatchTransactionsOptions, watchTransactions } from "./extras/watch-transactions.ts";
export { type BigintClient, type BigintTransactionsPage, type BigintWalk, withBigints } from "./extras/with-bigints.ts";
