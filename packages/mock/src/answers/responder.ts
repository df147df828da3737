/** Chooses the answer to a request. */
import { extraOf, findExample, invalid, parseRequest, typicalAnswer, withExtra } from "@chain-query/openapi/answers";
import { recorded } from "../http/recording.ts";
import { type ApiRequest, type ApiResponse, failure, Refusal, type Responder } from "./exchange.ts";
import { findOperation } from "./operations.ts";
import type { Handler } from "./overrides.ts";
import { type Preference, parsePreference } from "./preference.ts";
import { type AnswerSource, refuseUnknownExample } from "./source.ts";

/** Options of a responder. */
export interface ResponderOptions {
  readonly source: AnswerSource;
  /** Finds the override of an operation. */
  readonly overrideOf?: (operationId: string) => Preference | Handler | undefined;
  /** Whether to generate answers to requests without an example. Default: false. */
  readonly dynamic?: boolean;
  /** Makes generated answers repeatable. Default: 1. */
  readonly seed?: number;
}

/**
 * Answers requests from the contract. An invalid request gets a 422. A valid one gets the first of: the answer that its `Prefer` header
 * selects, the override of the operation, the documented answer to this request, a generated answer, the operation's typical answer.
 * Unexpected errors become failures with 500.
 */
export function createResponder(options: ResponderOptions): Responder {
  return async (request) => {
    try {
      return await respond(request, options);
    } catch (error) {
      if (error instanceof Refusal) return error.response;
      console.error(error);
      return failure(500, `the mock failed: ${error}`);
    }
  };
}

async function respond(
  request: ApiRequest,
  { source, overrideOf, dynamic = false, seed = 1 }: ResponderOptions,
): Promise<ApiResponse> {
  const operation = findOperation(request);
  if (request.refusal !== undefined && operation.method === "POST") throw request.refusal;
  const sent = operation.method === "GET" ? request.query : request.body;
  const extra = extraOf(sent) ?? extraOf(request.query);
  const reply = (answer: Omit<ApiResponse, "headers"> & Partial<ApiResponse>): ApiResponse => {
    const whole = withExtra(extra, { headers: {}, ...answer });
    return whole.body === answer.body ? whole : { ...whole, constant: false };
  };
  const { inputs, problems, key } = parseRequest(operation.id, sent);
  const example = findExample(key, request.headers);
  if (problems.length > 0) return reply(example?.response ?? invalid(problems));
  const preferred = parsePreference(request.headers["prefer"]);
  const override = preferred === undefined ? overrideOf?.(operation.id) : undefined;
  if (typeof override === "function") {
    const { status = 200, headers = {}, body } = await override(recorded(request));
    return { status, headers, body };
  }
  const documented = example && { code: example.response.status, example: example.condition };
  if (!preferred && !override && !documented && !dynamic) return reply(typicalAnswer(operation, inputs));
  const preference: Preference = preferred ? { dynamic, ...preferred } : (override ?? documented ?? { dynamic });
  refuseUnknownExample(operation, preference);
  // The seed contains the request, so that an answer does not depend on earlier or concurrent ones.
  const answerSeed = preference.dynamic ? `${seed} ${key}` : "";
  return reply(await source.answer(operation, preference, answerSeed));
}
