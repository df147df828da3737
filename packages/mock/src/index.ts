/**
 * A mock of the Chain Query HTTP API: a server that answers every operation from the examples of the contract.
 *
 * @example
 * ```ts
 * import { startMock } from "@chain-query/mock";
 *
 * await using mock = await startMock();
 * const response = await fetch(`${mock.url}/api/v2/getMasterchainInfo`);
 * ```
 *
 * @module
 */
export type { Conditions, Fault, RateLimit } from "./conditions.ts";
export { ListenError } from "./http/listen.ts";
export { type Mock, startMock } from "./mock.ts";
export { type LogEntry, type MockOptions, OptionError } from "./options.ts";
export type { RecordedRequest } from "./responses/exchange.ts";
export type { Handler, HandlerResponse, Override } from "./responses/preference.ts";
