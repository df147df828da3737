/** The only importer of openapi-fetch. */
import type { paths } from "@chain-query/types";
import createOpenapiFetch, { type Client } from "openapi-fetch";

/** Plain openapi-fetch, typed by the contract. */
export type RawClient = Client<paths, "application/json">;

/** What came back, read to its end: text where it is not JSON. */
export interface Answer {
  status: number;
  body: unknown;
}

export function createRawClient(options: {
  baseUrl: string;
  headers: Record<string, string>;
  fetch: (request: Request) => Promise<Response>;
}): RawClient {
  return createOpenapiFetch<paths, "application/json">(options);
}

/** Calls an operation that is known at run time only; the caller answers for the type of `wire`. */
export async function send(raw: RawClient, method: "get" | "post", path: keyof paths, wire: object): Promise<Answer> {
  const request = raw.request as (method: string, path: string, init: object) => ReturnType<RawClient["request"]>;
  const input = method === "post" ? { body: wire } : { params: { query: wire } };
  const { data, error, response } = await request(method, path, { ...input, parseAs: "text" });
  return { status: response.status, body: response.ok ? parsed(data) : error };
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}
