/**
 * Helpers beside the client: bigints, many calls at once, amounts, text comments, waiting for a message and following it, watching the
 * chain, and a cache. The main entry does not import it, and a bundle has only the used members.
 *
 * @module
 */
export { type CacheStore, type ImmutableCacheOptions, immutableCache } from "./extras/immutable-cache.ts";
export { type Many, type ManyOptions, many, type Outcome } from "./extras/many.ts";
export { type AnyMessage, type AnyTransaction, type MessageLocator, messageText } from "./extras/message.ts";
export { formatNano, type NanoFormat, parseNano } from "./extras/nano.ts";
export type { WatchOptions } from "./extras/polling.ts";
export { type Trace, type TraceNode, type TraceOptions, trace } from "./extras/trace.ts";
export { type WaitOptions, waitForResult } from "./extras/wait-for-result.ts";
export { type WatchHeadOptions, watchAccount, watchHead } from "./extras/watch-state.ts";
export { type WatchTransactionsOptions, watchTransactions } from "./extras/watch-transactions.ts";
export { type BigintClient, type BigintTransactionsPage, type BigintWalk, withBigints } from "./extras/with-bigints.ts";
