import { type DocumentedExample, operations } from "@chain-query/openapi/operations";
import type { Mock } from "../src/index.ts";

/** The tested parts of a response. */
export interface Reply {
  status: number;
  headers: Headers;
  body: { ok?: boolean; result?: unknown; error?: string; code?: number; "@extra"?: string };
}

/** Sends a body as JSON. */
export async function post(
  mock: Mock,
  operationId: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(`${mock.url}/api/v2/${operationId}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply["body"] };
}

/** Sends a query. */
export async function get(
  mock: Mock,
  operationId: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(`${mock.url}/api/v2/${operationId}?${new URLSearchParams(query)}`, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply["body"] };
}

/** Every documented pair of request and answer. */
export const examples: readonly DocumentedExample[] = operations.flatMap((operation) => operation.examples);

export function example(operationId: string, condition: string): DocumentedExample {
  const found = examples.find((one) => one.operationId === operationId && one.condition === condition);
  if (found === undefined) throw new Error(`${operationId}.${condition} is not documented`);
  return found;
}

/** Sends a documented request. */
export function send(url: string, { request }: DocumentedExample, headers: Record<string, string> = {}): Promise<Response> {
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const type = { "content-type": "application/json" };
  return fetch(`${url}${request.path}?${query}`, {
    method: request.method,
    headers: { ...request.headers, ...headers, ...(request.body === undefined ? {} : type) },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
}
