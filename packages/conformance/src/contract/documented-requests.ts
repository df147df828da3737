/** The requests that the contract documents, and how to make others. */
import { operations } from "@chain-query/openapi/operations";
import { isObject } from "../json.ts";
import type { Request } from "../service/exchange.ts";

/** A documented request and its documented statuses. */
export interface DocumentedRequest {
  readonly condition: string;
  readonly summary: string;
  readonly request: Request;
  readonly statuses: readonly number[];
}

const examples = operations
  .flatMap((operation) => operation.examples)
  .map(({ operationId, condition, summary, request, response }) => ({
    condition,
    summary,
    request: { operation: operationId, ...request } satisfies Request,
    status: response.status,
  }));

/** Every documented request. If a request is documented with several answers, each of their statuses is right. */
export const documentedRequests: readonly DocumentedRequest[] = examples.map(({ condition, summary, request }) => {
  const same = examples.filter((other) => JSON.stringify(other.request) === JSON.stringify(request));
  return { condition, summary, request, statuses: [...new Set(same.map(({ status }) => status))] };
});

/** The first documented request of an operation that succeeds. */
export function typicalRequest(operation: string): Request {
  const found = examples.find(({ request, status }) => request.operation === operation && status === 200);
  if (found === undefined) throw new RangeError(`the contract documents no successful request of ${operation}`);
  return found.request;
}

/** A request of an operation with the given input, in its query or its body. */
export function requestOf(operation: string, input: Readonly<Record<string, unknown>> = {}): Request {
  const { method, path } = typicalRequest(operation);
  if (method !== "GET") return { operation, method, path, body: input };
  const query = Object.entries(input).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[name, value] as const] : [],
  );
  return { operation, method, path, query: Object.fromEntries(query) };
}

/** The input of a request, from its query and its body. */
export function inputOf({ query, body }: Request): Readonly<Record<string, unknown>> {
  return { ...query, ...(isObject(body) ? body : {}) };
}
