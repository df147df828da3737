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
import { fixtures } from "./testing/fixtures.gen.ts";

export { type AnswerOf, type Answers, apiFailure, inTurn, networkError } from "./testing/answers.ts";
export { failures, fixtures } from "./testing/fixtures.gen.ts";

/**
 * Handlers of all operations at a base URL, or at any with `"*"`. Without an answer, a handler returns the first fixture of its
 * operation.
 *
 * @example
 * ```ts
 * const server = setupServer(...handlers("http://node.test", { lookupBlock: apiFailure(404) }));
 * ```
 */
export function handlers(baseUrl: string, answers: Answers = {}): HttpHandler[] {
  checkAnswers("handlers", answers);
  return operationIds.map((operation) =>
    handle(baseUrl, operation, answers[operation] ?? Object.values(fixtures[operation])[0]),
  );
}

/**
 * The handler of one operation, such as for one test.
 *
 * @example
 * ```ts
 * server.use(handler("http://node.test", "getMasterchainInfo", inTurn(networkError(), fixtures.getMasterchainInfo.head)));
 * ```
 */
export function handler<Id extends OperationId>(baseUrl: string, operation: Id, answer: AnswerOf<Id>): HttpHandler {
  checkAnswers("handler", { [operation]: answer });
  return handle(baseUrl, operation, answer);
}

function handle(baseUrl: string, operation: OperationId, answer: unknown): HttpHandler {
  const about: Operation = operations[operation];
  return http[about.method](baseUrl.replace(/\/+$/, "") + (about.path ?? pathOf(operation)), async ({ request }) =>
    respond(operation, answer, await inputOf(operation, request), request),
  );
}
