/** Responses of fakes, shared by `./testing` and `./msw`: those that a test chooses, and those of the mock. */

import { responseTo } from "@chain-query/openapi/responses";
import type { FailureReason, OperationId, RequestOf, ResultOf } from "@chain-query/types";
import { InvalidArgumentError } from "../errors.ts";
import { type Operation, pathOf } from "../operations/input.ts";
import { operations } from "../operations/operations.gen.ts";

/**
 * Creates a complete response, for any operation.
 *
 * @example
 * ```ts
 * const down: ResponseMaker = apiFailure(503);
 * ```
 */
export type ResponseMaker = () => Response;

/**
 * A fake response: a result, a complete `Response`, or a function of the input in wire form that returns either, or another response
 * such as `apiFailure(404)`.
 *
 * @example
 * ```ts
 * const found: FakeResponse<"lookupBlock"> = ({ seqno }) => ({ ...fixtures.lookupBlock["by-seqno"], seqno: Number(seqno) });
 * ```
 */
export type FakeResponse<Id extends OperationId> =
  | ResultOf<Id>
  | Response
  | ((input: RequestOf<Id>, request: Request) => FakeResponse<Id> | Promise<FakeResponse<Id>>);

/**
 * Fake responses by operation.
 *
 * @example
 * ```ts
 * const responses: FakeResponses = {
 *   getMasterchainInfo: fixtures.getMasterchainInfo.head,
 *   lookupBlock: ({ seqno }) => (seqno === 7 ? fixtures.lookupBlock["by-seqno"] : apiFailure(404)),
 * };
 * ```
 */
export type FakeResponses = { readonly [Id in OperationId]?: FakeResponse<Id> };

/**
 * Details of a failure.
 *
 * @example
 * ```ts
 * const busy: ApiFailureOptions = { error: "slow down", retryAfter: 1 };
 * ```
 */
export interface ApiFailureOptions {
  /** The text of `error`; "simulated failure" by default. */
  error?: string | undefined;
  /** The `reason` of the envelope, absent by default. */
  reason?: FailureReason | undefined;
  /** The `input` of the envelope. */
  input?: string | undefined;
  /** The Retry-After header: seconds, or a date as HTTP writes it. */
  retryAfter?: number | string | undefined;
  /** The `@extra` of the envelope. */
  extra?: string | undefined;
  /** The `code` of the envelope, equal to the status by default. */
  code?: number | undefined;
}

/**
 * The service's own failure. Under status 200 it is an envelope with `ok: false`, as some deployments respond.
 *
 * @example
 * ```ts
 * const fetch = fakeFetch({ getMasterchainInfo: apiFailure(429, { retryAfter: 1 }) });
 * ```
 */
export function apiFailure(status: number, options: ApiFailureOptions = {}): ResponseMaker {
  const { error = "simulated failure", retryAfter, extra, code = status, reason, input } = options;
  if (!(Number.isInteger(status) && status >= 200 && status <= 599) || [204, 205, 304].includes(status)) {
    throw invalid("apiFailure", `status ${status}: one from 200 to 599 that has a body is accepted`);
  }
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return () => jsonResponse({ ok: false, error, code, reason, input, "@extra": extra }, status, headers);
}

/**
 * No response: the connection fails.
 *
 * @example
 * ```ts
 * const fetch = fakeFetch({ getMasterchainInfo: networkError() }); // the call fails with a ConnectionError
 * ```
 */
export function networkError(): ResponseMaker {
  return () => Response.error();
}

/**
 * One response after the other; the last one repeats.
 *
 * @example
 * ```ts
 * const fetch = fakeFetch({ getMasterchainInfo: inTurn(networkError(), apiFailure(503), fixtures.getMasterchainInfo.head) });
 * ```
 */
export function inTurn<const Each extends readonly [unknown, ...unknown[]]>(...responses: Each): () => Each[number] {
  let calls = 0;
  return () => responses[Math.min(calls++, responses.length - 1)];
}

/** As `Response.json()`, which whatwg-fetch and Safari before 17 do not have. */
function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

export const operationIds = Object.keys(operations) as readonly OperationId[];

/** The path of an absolute URL: the `URL` of React Native had none for years. */
export const pathOfUrl = (url: string): string => url.replace(/^\w+:\/\/[^/?#]*|[?#].*/g, "") || "/";

/** The operation that a request calls, at any base URL. */
export function operationOf({ method, url }: Request): OperationId | undefined {
  const pathname = pathOfUrl(url);
  return operationIds.find((id) => {
    const about: Operation = operations[id];
    return about.method === method && pathname.endsWith(about.path ?? pathOf(id));
  });
}

/** The input of a request, in wire form: the texts of a query become the numbers and booleans that they stand for. */
export async function inputOf(operation: OperationId, request: Request): Promise<object> {
  const { method, members }: Operation = operations[operation];
  if (method === "POST") return JSON.parse((await request.clone().text()) || "{}");
  const query: Record<string, unknown> = {};
  new URLSearchParams(request.url.replace(/^[^?]*/, "")).forEach((text, name) => {
    const kind = members[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (kind === "boolean") query[name] = text === "true";
    else query[name] = kind?.[0] === "number" ? Number(text) : text;
  });
  return query;
}

/** The `Response` of a fake: its own, or its result in the envelope. */
export async function respond(operation: OperationId, response: unknown, input: unknown, request: Request): Promise<Response> {
  let given = response;
  while (typeof given === "function") given = await given(input, request);
  if (given === undefined) throw invalid(operation, `the fake has no response for it; give one: { ${operation}: … }`);
  if (!(given instanceof Response)) return jsonResponse({ ok: true, result: given });
  // A failed connection has no copy in node-fetch and whatwg-fetch.
  return given.status === 0 ? given : given.clone();
}

/** Throws for an operation that the contract does not have. */
export function checkOperations(where: string, responses: object): void {
  const unknown = Object.keys(responses).find((name) => !Object.hasOwn(operations, name));
  if (unknown !== undefined) throw invalid(where, `${unknown} is not an operation; accepted: ${operationIds.join(", ")}`);
}

/** An error that the client throws unchanged, without a retry. */
export function invalid(where: string, message: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { operation: where, attempts: 0 });
}

/**
 * Answers to every operation as the mock gives them: the documented response to a documented request, the service's failure to an
 * invalid one or past the head, and otherwise a typical response with values from the request. The history of an account has pages.
 *
 * @example
 * ```ts
 * const fetch = fakeFetch({ ...documented, getConsensusBlock: apiFailure(503) });
 * ```
 */
export const documented: { readonly [Id in OperationId]: (input: RequestOf<Id>, request: Request) => Response } =
  /* @__PURE__ */ everyAnswer();

function everyAnswer(): typeof documented {
  const answerOf = (id: OperationId) => (input: object, request: Request) => respondTo(id, input, request.headers);
  return Object.fromEntries(operationIds.map((id) => [id, answerOf(id)])) as unknown as typeof documented;
}

function respondTo(id: OperationId, input: object, headers: Headers): Response {
  const texts = Object.entries(input).map(([name, value]) => [name, String(value)] as const);
  const sent = operations[id].method === "GET" ? Object.fromEntries(texts) : input;
  const lowerCase: Record<string, string> = {};
  headers.forEach((value, name) => {
    lowerCase[name] = value;
  });
  const { status, body } = responseTo(id, sent, lowerCase);
  return jsonResponse(body, status);
}
