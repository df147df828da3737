/**
 * Chooses the responses of the mock, without Prism and without a server. Works in browsers.
 *
 * @example
 * ```ts
 * import { createResponder, exampleSource } from "@chain-query/mock/responder";
 *
 * const respond = createResponder({ source: exampleSource });
 * const { status, headers, body } = await respond(request);
 * ```
 *
 * @module
 */
import type { Operation } from "@chain-query/openapi/operations";
import { findExample, invalid, parseRequest, typicalResponse, withExtra } from "@chain-query/openapi/responses";
import {
  type ApiRequest,
  type ApiResponse,
  failure,
  methodsOf,
  operationsOf,
  type Preference,
  RequestError,
  type Responder,
  type ResponseSource,
  recorded,
  requireExample,
  sentIn,
  wrongMethod,
} from "./responses/exchange.ts";
import { type Handler, parsePreference } from "./responses/preference.ts";

export {
  type ApiRequest,
  type ApiResponse,
  exampleSource,
  failure,
  type Preference,
  RequestError,
  type Responder,
  type ResponseSource,
} from "./responses/exchange.ts";
export type { Handler } from "./responses/preference.ts";

/** @throws RequestError with 404 or 405 if no operation has this path and method. */
function findOperation({ method, path }: Pick<ApiRequest, "method" | "path">): Operation {
  const found = operationsOf(path).find((one) => one.method === (method === "HEAD" ? "GET" : method));
  if (found !== undefined) return found;
  const methods = methodsOf(path);
  if (methods.length > 0) throw wrongMethod(method, methods);
  throw new RequestError(404, "there is no such path; expected /api/v2/ and the name of an operation");
}

/** Options of a responder. */
export interface ResponderOptions {
  readonly source: ResponseSource;
  /** Finds the override of an operation. */
  readonly overrideOf?: (operationId: string) => Preference | Handler | undefined;
  /** Whether to generate responses to requests without an example. Default: false. */
  readonly dynamic?: boolean;
  /** Makes generated responses repeatable. Default: 1. */
  readonly seed?: number;
}

/**
 * Answers requests from the contract. An invalid request gets a 422. A valid one gets the first of: the response that its `Prefer` header
 * selects, the override of the operation, the documented response to this request, a generated response, the operation's typical response.
 * Unexpected errors become failures with 500.
 */
export function createResponder(options: ResponderOptions): Responder {
  return async (request) => {
    try {
      return await respond(request, options);
    } catch (error) {
      if (error instanceof RequestError) return error.response;
      console.error(error);
      return failure(500, `the mock failed: ${error}`);
    }
  };
}

async function respond(
  request: ApiRequest,
  { source, overrideOf, dynamic = false, seed = 1 }: ResponderOptions,
): Promise<ApiResponse> {
  if (request.error !== undefined) throw request.error;
  const operation = findOperation(request);
  const { sent, place, extra } = sentIn(request, operation);
  if (extra !== undefined && typeof extra !== "string")
    return { headers: {}, ...invalid(["@extra: expected one text"], "@extra") };
  const reply = (response: Omit<ApiResponse, "headers"> & Partial<ApiResponse>): ApiResponse => {
    const whole = withExtra(extra, { headers: {}, ...response });
    return whole.body === response.body ? whole : { ...whole, constant: false };
  };
  const { inputs, problems, input, key } = parseRequest(operation.id, sent, place);
  const example = findExample(key, request.headers);
  if (problems.length > 0) return reply(example?.response ?? invalid(problems, input));
  const preferred = parsePreference(request.headers["prefer"]);
  const override = preferred === undefined ? overrideOf?.(operation.id) : undefined;
  if (typeof override === "function") {
    const { status = 200, headers = {}, body } = await override(recorded(request));
    return { status, headers, body };
  }
  const documented = example && { code: example.response.status, example: example.condition };
  if (!preferred && !override && !documented && !dynamic) return reply(typicalResponse(operation, inputs));
  const preference: Preference = preferred ? { dynamic, ...preferred } : (override ?? documented ?? { dynamic });
  requireExample(operation, preference);
  // The seed contains the request, so that a response does not depend on earlier or concurrent ones.
  const responseSeed = preference.dynamic ? `${seed} ${key}` : "";
  return reply({ ...(await source.respond(operation, preference, responseSeed)), example: preference.example });
}
