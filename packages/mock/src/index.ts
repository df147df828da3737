/**
 * A stand-in for the Chain Query HTTP API: a server that answers every operation from the contract's own examples.
 *
 * @example
 * ```ts
 * import { startMock } from "@chain-query/mock";
 *
 * await using mock = await startMock();
 * const answer = await fetch(`${mock.url}/api/v2/getMasterchainInfo`);
 * ```
 *
 * @module
 */
export type { Conditions, Fault } from "./conditions.ts";
export { ListenError } from "./listen.ts";
export { type Mock, startMock } from "./mock.ts";
export type { LogEntry, MockOptions } from "./options.ts";
export { OptionError } from "./options.ts";
export type { Handler, HandlerAnswer, Override } from "./override.ts";
export type { RateLimit } from "./rate-limit.ts";
export type { RecordedRequest } from "./record.ts";
