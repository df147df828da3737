/** Responses from the chain of the contract's examples, as of the mock. */
import { responseTo } from "@chain-query/openapi/responses";
import type { OperationId, RequestOf } from "@chain-query/types";
import { operations } from "../operations/operations.gen.ts";
import { operationIds } from "./responses.ts";

/**
 * Answers to every operation as the mock gives them: the documented response to a documented request, the service's failure to an
 * invalid one or past the head, and otherwise a typical response with values from the request. The history of an account has pages.
 *
 * @example
 * ```ts
 * const fetch = fakeFetch({ ...documented, getConsensusBlock: apiFailure(503) });
 * ```
 */
export const documented: { readonly [Id in OperationId]: (input: RequestOf<Id>, request: Request) => Response } = everyAnswer();

function everyAnswer(): typeof documented {
  const responses = operationIds.map(
    (id) => [id, (input: object, { headers }: Request) => respondTo(id, input, headers)] as const,
  );
  return Object.fromEntries(responses) as unknown as typeof documented;
}

function respondTo(id: OperationId, input: object, headers: Headers): Response {
  const texts = Object.entries(input).map(([name, value]) => [name, String(value)] as const);
  const sent = operations[id].method === "get" ? Object.fromEntries(texts) : input;
  const lowerCase: Record<string, string> = {};
  headers.forEach((value, name) => {
    lowerCase[name] = value;
  });
  const { status, body } = responseTo(id, sent, lowerCase);
  return Response.json(body, { status });
}
