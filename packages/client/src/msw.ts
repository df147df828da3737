/**
 * Handlers for MSW (Mock Service Worker), one for each operation of the contract.
 *
 * @module
 */
import type { OperationId } from "@chain-query/types";
import { type HttpHandler, http } from "msw";
import { type Operation, pathOf } from "./operations/input.ts";
import { operations } from "./operations/operations.gen.ts";
import { type AnswerOf, type Answers, checkAnswers, inputOf, operationIds, respond } from "./testing/answers.ts";
import { documented } from "./testing/documented.ts";
import { deploymentOf } from "./transport/deployment.ts";

export { type AnswerOf, type Answers, apiFailure, inTurn, networkError } from "./testing/answers.ts";
export { documented } from "./testing/documented.ts";
export { failures, fixtures } from "./testing/fixtures.gen.ts";

/**
 * Handlers of all operations at the base URL of a client, or at any with `"*"`. Without an answer, a handler answers as the mock does; see
 * {@link documented}. To replace one answer in a test, pass a {@link handler} to `server.use`.
 *
 * @example
 * ```ts
 * const server = setupServer(...handlers("http://node.test", { lookupBlock: apiFailure(404) }));
 * ```
 */
export function handlers(baseUrl: string, answers: Answers = {}): HttpHandler[] {
  checkAnswers("handlers", answers);
  return operationIds.map((operation) => handle(baseUrl, operation, answers[operation] ?? documented[operation]));
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
export function handler<Id extends OperationId>(operation: Id, answer: AnswerOf<Id>, baseUrl = "*"): HttpHandler {
  checkAnswers("handler", { [operation]: answer });
  return handle(baseUrl, operation, answer);
}

function handle(baseUrl: string, operation: OperationId, answer: unknown): HttpHandler {
  const about: Operation = operations[operation];
  return http[about.method](deploymentOf(baseUrl) + (about.path ?? pathOf(operation)), async ({ request }) =>
    respond(operation, answer, await inputOf(operation, request), request),
  );
}
