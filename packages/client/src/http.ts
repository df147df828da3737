/** The only importer of openapi-fetch. */
import type { paths } from "@chain-query/types";
import createOpenapiFetch, { type Client, type Middleware } from "openapi-fetch";

export type { Middleware };

/**
 * Plain openapi-fetch, typed by the contract: members keep their wire names, and a failure that the service answers is
 * returned as `error`. It throws a `ChainQueryError` only where no whole answer came.
 *
 * @example
 * ```ts
 * const query = { address, to_lt: "5211000001" };
 * const { data, error } = await chain.raw.GET("/api/v2/getTransactionsStd", { params: { query } });
 * ```
 */
export type RawClient = Client<paths, "application/json">;

/** What sends a request. */
export type Send = (request: Request) => Promise<Response>;

export function createRawClient(
  options: { baseUrl: string; headers: Record<string, string>; fetch: Send },
  middleware: readonly Middleware[],
): RawClient {
  const raw = createOpenapiFetch<paths, "application/json">(options);
  raw.use(...middleware);
  return raw;
}

/** An answer with its body read: text, or what openapi-fetch made of a failure's. */
export interface Answer {
  response: Response;
  body: unknown;
}

/** Calls an operation that is known at run time only; the caller answers for the type of `wire`. */
export async function callRaw(
  raw: RawClient,
  method: "get" | "post",
  path: string,
  wire: object,
  headers: Record<string, string> | undefined,
  fetch: Send,
): Promise<Answer> {
  const request = raw.request as (method: string, path: string, init: object) => ReturnType<RawClient["request"]>;
  const { data, error, response } = await request(method, path, {
    ...(method === "post" ? { body: wire } : { params: { query: wire } }),
    headers,
    fetch,
    parseAs: "text",
  });
  return { response, body: response.ok ? data : error };
}
