/** The requests that the contract documents, and the typical one of each operation. */
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { isObject } from "../json.ts";
import type { Request } from "../service/exchange.ts";

/** A documented request and its documented statuses. */
export interface DocumentedRequest {
  readonly condition: string;
  readonly summary: string;
  readonly request: Request;
  readonly statuses: readonly number[];
}

const requests = examples.map(({ operationId, condition, summary, request, response }) => {
  const { method, path, query, headers } = request;
  const body = "body" in request ? { body: request.body } : {};
  return {
    condition,
    summary,
    request: {
      operation: operationId,
      method,
      path,
      query: scalars(query),
      headers: texts(headers),
      ...body,
    } satisfies Request,
    status: response.status,
  };
});

/** Every documented request. If a request is documented with several answers, each of their statuses is right. */
export const documentedRequests: readonly DocumentedRequest[] = requests.map(({ condition, summary, request }) => {
  const same = requests.filter((other) => JSON.stringify(other.request) === JSON.stringify(request));
  return { condition, summary, request, statuses: [...new Set(same.map(({ status }) => status))] };
});

/** The first documented request of an operation that succeeds. */
export function typicalRequest(operation: string): Request {
  const found = requests.find(({ request, status }) => request.operation === operation && status === 200);
  if (found === undefined)
    throw new RangeError(`the contract documents no request of ${JSON.stringify(operation)} that succeeds`);
  return found.request;
}

/** A request of an operation with the given input, in its query or its body. */
export function requestOf(operation: string, input: Readonly<Record<string, unknown>> = {}): Request {
  const { method, path } = typicalRequest(operation);
  if (method !== "GET") return { operation, method, path, body: input };
  return { operation, method, path, query: scalars(input) };
}

/** The input of a request, from its query and its body. */
export function inputOf({ query, body }: Request): Readonly<Record<string, unknown>> {
  return { ...query, ...(isObject(body) ? body : {}) };
}

function scalars(values: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[name, value]] : [],
    ),
  );
}

function texts(values: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
