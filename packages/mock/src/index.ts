/**
 * A stand-in for the Chain Query HTTP API: a server that answers every operation with the contract's own examples.
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
export { ListenError } from "./listen.ts";
export { type Mock, type MockOptions, startMock } from "./mock.ts";
