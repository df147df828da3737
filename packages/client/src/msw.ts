/**
 * Handlers for MSW (Mock Service Worker), one for each operation of the contract.
 *
 * @module
 */
import type { OperationId } from "@chain-query/types";
import { type HttpHandler, http } from "msw";
import { deploymentOf, type Operation, pathOf } from "./operations/input.ts";
import { operations } from "./operations/operations.gen.ts";
import {
  checkOperations,
  documented,
  type FakeResponse,
  type FakeResponses,
  inputOf,
  operationIds,
  respond,
} from "./testing/responses.ts";

export { failures, fixtures } from "./testing/fixtures.gen.ts";
export { apiFailure, documented, type FakeResponse, type FakeResponses, inTurn, networkError } from "./testing/responses.ts";

/**
 * Handlers of all operations at the base URL of a client, or at any with `"*"`. Without a response, a handler answers as the mock does; see
 * {@link documented}. To replace one response in a test, pass a {@link handler} to `server.use`.
 *
 * @example
 * ```ts
 * const server = setupServer(...handlers("http://node.test", { lookupBlock: apiFailure(404) }));
 * ```
 */
export function handlers(baseUrl: string, responses: FakeResponses = {}): HttpHandler[] {
  checkOperations("handlers", responses);
  return operationIds.map((operation) => handle(baseUrl, operation, responses[operation] ?? documented[operation]));
}

/**
 * The handler of one operation, which leaves the others alone. It answers at any base URL unless one is given.
 *
 * @example
 * ```ts
 * server.use(handler("getMasterchainInfo", inTurn(networkError(), fixtures.getMasterchainInfo.head)));
 * server.use(handler("lookupBlock", apiFailure(404))); // getMasterchainInfo still answers as above
 * ```
 */
export function handler<Id extends OperationId>(operation: Id, response: FakeResponse<Id>, baseUrl = "*"): HttpHandler {
  checkOperations("handler", { [operation]: response });
  return handle(baseUrl, operation, response);
}

function handle(baseUrl: string, operation: OperationId, response: unknown): HttpHandler {
  const about: Operation = operations[operation];
  return http[about.method === "POST" ? "post" : "get"](
    deploymentOf(baseUrl) + (about.path ?? pathOf(operation)),
    async ({ request }) => respond(operation, response, await inputOf(operation, request), request),
  );
}
