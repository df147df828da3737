/** Finds the operation of a request, parses its inputs, and finds the documented example of an equal request. */
import { type AccountId, toHexHash, toRawAddress } from "@chain-query/openapi/address";
import { type DocumentedExample, type Operation, type OperationId, operations } from "@chain-query/openapi/operations";
import { checkRequest } from "@chain-query/openapi/requests";
import { type ApiRequest, Refusal } from "./exchange.ts";

/** The inputs of a request as `checkRequest` returns them. */
export type Inputs = Readonly<Record<string, unknown>>;

const byPath = Map.groupBy(operations, ({ path }) => path);

/** The methods of a path; empty if the contract does not have it. */
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

/** The inputs of a request, or its problems. */
export interface ParsedRequest {
  /** Empty if the request is invalid. */
  readonly inputs: Inputs;
  readonly problems: readonly string[];
  /** The same text for all spellings of a valid request. */
  readonly key: string;
}

/** Checks and parses the query or the body of a request. */
export function parseRequest(operationId: OperationId, sent: unknown): ParsedRequest {
  const checked = checkRequest(operationId, sent);
  if (!checked.ok) return { inputs: {}, problems: checked.problems, key: `${operationId} invalid ${invalidKey(sent)}` };
  const inputs = { ...checked.inputs };
  const members = sortedEntries(inputs).map(([name, value]) => `${name}=${inputText(value)}`);
  return { inputs, problems: [], key: `${operationId} ${members.join("&")}` };
}

function invalidKey(sent: unknown): string {
  return JSON.stringify(typeof sent === "object" && sent !== null ? sortedEntries(sent) : sent);
}

function sortedEntries(members: object): [string, unknown][] {
  return Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Parses a documented request. */
export function parseExample({ operationId, request: { body, query } }: DocumentedExample): ParsedRequest {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return parseRequest(operationId, body ?? texts);
}

// Successes come first in the contract. If several examples have the same request, the first one is its answer.
const byRequest: ReadonlyMap<string, readonly DocumentedExample[]> = Map.groupBy(
  operations.flatMap(({ examples }) => examples),
  (example) => parseExample(example).key,
);

/** The example with this key. An example with headers applies only to requests with these headers, and comes before one without. */
export function findExample(key: string, headers: ApiRequest["headers"]): DocumentedExample | undefined {
  const same = byRequest.get(key) ?? [];
  const applies = ({ request }: DocumentedExample): boolean =>
    Object.entries(request.headers).every(([name, value]) => headers[name.toLowerCase()] === value);
  const withHeaders = same.find((one) => Object.keys(one.request.headers).length > 0 && applies(one));
  return withHeaders ?? same.find(applies);
}

function inputText(value: unknown): string {
  if (value instanceof Uint8Array) return toHexHash(value);
  return typeof value === "object" && value !== null && "workchain" in value ? toRawAddress(value as AccountId) : String(value);
}
