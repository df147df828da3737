/** The requests that the contract documents, and how to make others. */
import { operations } from "@chain-query/openapi/operations";
import { isObject } from "../json.ts";
import type { Request } from "../service/exchange.ts";

/** A documented request and its documented statuses. */
interface DocumentedRequest {
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

/** Statuses that are right beside the documented one, by the example whose condition depends on the deployment or on the time. */
export const otherStatuses: Readonly<Record<string, number>> = {
  // The deployment knows no such key.
  "getAddressInformation.other-network-key": 401,
  // Its node keeps this history.
  "getTransactionsStd.pruned-history": 200,
  // The message has arrived since.
  "tryLocateResultTx.not-yet-processed": 200,
};

/** Every documented request. If a request is documented with several responses, each of their statuses is right. */
export const documentedRequests: readonly DocumentedRequest[] = examples.map(({ condition, summary, request }) => {
  const same = examples.filter((other) => JSON.stringify(other.request) === JSON.stringify(request));
  const other = otherStatuses[`${request.operation}.${condition}`];
  return {
    condition,
    summary,
    request,
    statuses: [...new Set([...same.map(({ status }) => status), ...(other ? [other] : [])])],
  };
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
