/** The only importer of openapi-fetch. */
import type { paths } from "@chain-query/types";
import createOpenapiFetch, { type Client, type Middleware } from "openapi-fetch";
import type { Draft } from "./settings.ts";

export type { Middleware };

/**
 * Plain openapi-fetch, typed by the contract: members keep their wire names, and a failure of the service is returned as `error`.
 * It throws a `ChainQueryError` only if no complete answer arrives.
 *
 * @example
 * ```ts
 * const query = { address, to_lt: "433000001" };
 * const { data, error } = await chain.raw.GET("/api/v2/getTransactionsStd", { params: { query } });
 * ```
 */
export type RawClient = Client<paths, "application/json">;

/** Sends a request. */
export type Send = (request: Draft) => Promise<Response>;

/** An answer with its body read: text, or the parsed body of a failure. */
export interface Answer {
  response: Response;
  body: unknown;
}

/** Calls an operation that is known at run time only. The caller guarantees the type of `wire`. */
export type CallRaw = (
  method: "get" | "post",
  path: string,
  wire: object,
  headers: Record<string, string> | undefined,
  fetch: Send,
) => Promise<Answer>;

/** Creates an openapi-fetch client, and a faster way to call it. */
export function createRawClient(
  options: { baseUrl: string; headers: Record<string, string>; fetch: (request: Request) => Promise<Response> },
  middleware: readonly Middleware[],
): { raw: RawClient; callRaw: CallRaw } {
  const raw = createOpenapiFetch<paths, "application/json">(options);
  const { use } = raw;
  let Request: unknown = Plain;
  raw.use = (...added) => {
    if (added.length > 0) Request = undefined;
    use(...added);
  };
  raw.use(...middleware);
  const request = raw.request as (method: string, path: string, init: object) => ReturnType<RawClient["request"]>;
  return {
    raw,
    async callRaw(method, path, wire, headers, fetch) {
      const { data, error, response } = await request(method, path, {
        ...(method === "post" ? { body: wire } : { params: { query: wire } }),
        headers,
        fetch,
        Request,
        parseAs: "text",
      });
      return { response, body: response.ok ? data : error };
    },
  };
}

/** Replaces the Request class if there is no middleware: constructing a Request is the slowest step of a call. */
function Plain(url: string, init: object): object {
  return { ...init, url };
}
