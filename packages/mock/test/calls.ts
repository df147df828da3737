import type { Mock } from "../src/index.ts";

/** What came back, as far as tests look at it. */
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
  const answer = await fetch(`${mock.url}/api/v2/${operationId}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Reply["body"] };
}

/** Sends a query. */
export async function get(
  mock: Mock,
  operationId: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const answer = await fetch(`${mock.url}/api/v2/${operationId}?${new URLSearchParams(query)}`, { headers });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Reply["body"] };
}
