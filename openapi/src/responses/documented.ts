/** Reads requests, and finds the documented response to an equal request. */
import { type AccountId, toHexHash, toRawAddress } from "@chain-query/openapi/address";
import { type DocumentedExample, type Operation, type OperationId, operations } from "@chain-query/openapi/operations";
import { checkRequest, type FailureReason, type Place } from "@chain-query/openapi/requests";
import { reasonOf } from "./reason.ts";

/** The inputs of a request as `checkRequest` returns them. */
export type Inputs = Readonly<Record<string, unknown>>;

/** A status and the JSON of a body. */
export interface HttpResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The inputs of a request, or its problems. */
export interface ParsedRequest {
  /** Empty if the request is invalid. */
  readonly inputs: Inputs;
  readonly problems: readonly string[];
  /** The member that the first problem is about. */
  readonly input?: string | undefined;
  /** The same text for all spellings of a valid request. */
  readonly key: string;
}

/** A failure with the error body of the contract. */
export function failure(status: number, error: string, reason: FailureReason = reasonOf(status), input?: string): HttpResponse {
  return { status, body: { ok: false, error, code: status, reason, ...(input === undefined ? {} : { input }) } };
}

/** Checks and parses the query or the body of a request. @param place - Of the inputs, for the problems. */
export function parseRequest(operationId: OperationId, sent: unknown, place?: Place): ParsedRequest {
  const checked = checkRequest(operationId, sent, place);
  if (!checked.ok) {
    const { problems, input } = checked;
    return { inputs: {}, problems, input, key: `${operationId} invalid ${invalidKey(sent)}` };
  }
  const inputs = { ...checked.inputs };
  const members = sortedEntries(inputs).map(([name, value]) => `${name}=${inputText(value)}`);
  return { inputs, problems: [], key: `${operationId} ${members.join("&")}` };
}

/** Parses a documented request. */
export function parseExample({ operationId, request: { body, query } }: DocumentedExample): ParsedRequest {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return parseRequest(operationId, body ?? texts);
}

/** The examples of an operation that succeed, the most typical first. */
export function successes(operation: Operation): DocumentedExample[] {
  return operation.examples.filter(({ response }) => response.status < 300);
}

// Successes come first in the contract. If several examples have the same request, the first one is its response.
const byRequest: ReadonlyMap<string, readonly DocumentedExample[]> = groupedByRequest(
  operations.flatMap(({ examples }) => examples),
);

/**
 * The example with the key of a request. An example with headers applies only to requests with these headers, and comes before one
 * without.
 *
 * @param headers - Keyed by lower-case name.
 */
export function findExample(key: string, headers: Readonly<Record<string, string>>): DocumentedExample | undefined {
  const same = byRequest.get(key) ?? [];
  const applies = ({ request }: DocumentedExample): boolean =>
    Object.entries(request.headers).every(([name, value]) => headers[name.toLowerCase()] === value);
  const withHeaders = same.find((one) => Object.keys(one.request.headers).length > 0 && applies(one));
  return withHeaders ?? same.find(applies);
}

function groupedByRequest(examples: readonly DocumentedExample[]): Map<string, DocumentedExample[]> {
  const groups = new Map<string, DocumentedExample[]>();
  for (const example of examples) {
    const { key } = parseExample(example);
    groups.set(key, [...(groups.get(key) ?? []), example]);
  }
  return groups;
}

function invalidKey(sent: unknown): string {
  return JSON.stringify(typeof sent === "object" && sent !== null ? sortedEntries(sent) : sent);
}

function sortedEntries(members: object): [string, unknown][] {
  return Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
}

function inputText(value: unknown): string {
  if (value instanceof Uint8Array) return toHexHash(value);
  return typeof value === "object" && value !== null && "workchain" in value ? toRawAddress(value as AccountId) : String(value);
}
