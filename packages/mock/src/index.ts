/**
 * A mock of the Chain Query HTTP API: a server that answers every operation from the examples of the contract.
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
export type { Handler, HandlerAnswer, Override } from "./answers/overrides.ts";
export type { Conditions, Fault } from "./conditions/conditions.ts";
export type { RateLimit } from "./conditions/rate-limit.ts";
export { ListenError } from "./http/listen.ts";
export type { RecordedRequest } from "./http/recording.ts";
export { type Mock, startMock } from "./mock.ts";
export { type LogEntry, type MockOptions, OptionError } from "./options.ts";
