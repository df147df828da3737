/**
 * Typed client of the Chain Query HTTP API, and functions beside it, of which a bundle has only those that it imports.
 *
 * @module
 */

export type * from "@chain-query/types";
export { formatNano, type NanoFormat, parseNano } from "./amounts.ts";
export type { QueryPromise, Safe, Success, WithResponse } from "./calls/query-promise.ts";
export type { Cursor, TransactionIterator, TransactionsInput, TransactionsPage } from "./calls/transactions.ts";
export { type ChainClient, createClient, type Method } from "./client.ts";
export { depositOf, isBounced } from "./deposits.ts";
export {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  type CallError,
  type CallInfo,
  ChainQueryError,
  ConnectionError,
  type ErrorCode,
  InvalidArgumentError,
  NotFoundError,
  type OtherApiError,
  ParseError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  type UnreachableError,
} from "./errors.ts";
export { type Call, type Hooks, type Logger, loggingHooks } from "./hooks.ts";
export { type AnyMessage, messageText } from "./message-text.ts";
export { monotonic } from "./monotonic.ts";
export type { InputOf } from "./operations/input.ts";
export type * from "./operations/inputs.gen.ts";
export type { Int64 } from "./operations/int64.ts";
export { compareLt, toBigInt } from "./operations/int64.ts";
export type { CallOptions, ClientOptions, Validate } from "./options.ts";
export { createLimiter } from "./transport/limiter.ts";
export type { Middleware, RawClient, RawMethod, RawOptions, RawResponse } from "./transport/openapi-fetch.ts";
export type { Fetch, Limiter, RateLimit } from "./transport/settings.ts";
export type { Retry } from "./transport/timing.ts";
export { type WatchTransactionsOptions, watchTransactions } from "./watch-transactions.ts";
export { type BigintClient, type BigintTransactionIterator, type BigintTransactionsPage, withBigints } from "./with-bigints.ts";

/**
 * Workchain of the masterchain.
 *
 * @example
 * ```ts
 * await chain.lookupBlock({ workchain: MASTERCHAIN, shard: MASTERCHAIN_SHARD, seqno: 217 });
 * ```
 */
export const MASTERCHAIN = -1;

/**
 * Workchain of the basechain, where accounts and contracts live.
 *
 * @example
 * ```ts
 * const block = await chain.lookupBlock({ workchain: BASECHAIN, shard: 0x4000000000000000n, lt: 433_000_001n });
 * ```
 */
export const BASECHAIN = 0;

/**
 * The single shard of the masterchain, the least signed 64-bit integer as a decimal string.
 *
 * @example
 * ```ts
 * const { last } = await chain.getMasterchainInfo();
 * last.shard === MASTERCHAIN_SHARD; // true
 * ```
 */
export const MASTERCHAIN_SHARD = "-9223372036854775808";
