/** Finds operations of the contract, and documented examples by what their requests say. */
import { type AccountId, toHexHash, toRawAddress } from "@chain-query/openapi/address";
import { type DocumentedExample, type Operation, type OperationId, operations } from "@chain-query/openapi/operations";
import { checkRequest } from "@chain-query/openapi/requests";
import { type ApiRequest, Refusal } from "./exchange.ts";

/** The inputs of a request as `checkRequest` reads them. */
export type Inputs = Readonly<Record<string, unknown>>;

const byPath = Map.groupBy(operations, ({ path }) => path);

/** The methods of a path; none if the contract does not have it. */
export function methodsOf(path: string): string[] {
  return (byPath.get(path) ?? []).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** @throws Refusal with 404 or 405 if no operation has this path and method. */
export function findOperation({ method, path }: Pick<ApiRequest, "method" | "path">): Operation {
  const found = byPath.get(path)?.find((one) => one.method === (method === "HEAD" ? "GET" : method));
  if (found !== undefined) return found;
  const methods = methodsOf(path);
  if (methods.length === 0) throw new Refusal(404, `the contract has no path ${path}`);
  const allow = [...methods, "OPTIONS"].join(", ");
  throw new Refusal(405, `${path} takes ${methods.join(" or ")}, not ${method}`, { allow });
}

/** The examples of an operation that succeed, the most typical first. */
export function successes(operation: Operation): DocumentedExample[] {
  return operation.examples.filter(({ response }) => response.status < 300);
}

/** What a request says: its inputs if it is valid, else its members as they were sent, with the problems. */
export function readInputs(
  operationId: OperationId,
  sent: unknown,
): { readonly inputs: Inputs; readonly problems: readonly string[] } {
  const checked = checkRequest(operationId, sent);
  if (checked.ok) return { inputs: { ...checked.inputs }, problems: [] };
  return { inputs: typeof sent === "object" ? { ...sent } : {}, problems: checked.problems };
}

/** The inputs of a documented request. */
export function inputsOf({ operationId, request: { body, query } }: DocumentedExample): Inputs {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return readInputs(operationId, body ?? texts).inputs;
}

// Successes come before failures. If several examples have the same request, the first one is its answer.
const byRequest: ReadonlyMap<string, readonly DocumentedExample[]> = Map.groupBy(
  operations.flatMap(({ examples }) => examples),
  (example) => requestKey(example.operationId, inputsOf(example)),
);

/** The example with the same inputs. One that has headers applies only to a request with these headers. */
export function findExample(
  operationId: OperationId,
  inputs: Inputs,
  headers: ApiRequest["headers"],
): DocumentedExample | undefined {
  const same = byRequest.get(requestKey(operationId, inputs)) ?? [];
  const applies = ({ request }: DocumentedExample): boolean =>
    Object.entries(request.headers).every(([name, value]) => headers[name.toLowerCase()] === value);
  const withHeaders = same.find((one) => Object.keys(one.request.headers).length > 0 && applies(one));
  return withHeaders ?? same.find(applies);
}

/** The same text for all spellings of a request. */
export function requestKey(operationId: string, inputs: Inputs): string {
  const sorted = Object.entries(inputs).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `${operationId} ${sorted.map(([name, value]) => `${name}=${textOf(value)}`).join("&")}`;
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return toHexHash(value);
  return typeof value === "object" && value !== null && "workchain" in value ? toRawAddress(value as AccountId) : String(value);
}
