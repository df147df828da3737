/** The only importer of openapi-fetch, which writes the URL, the headers and the body of each call. */
import type { paths } from "@chain-query/types";
import createOpenapiFetch, { type Client } from "openapi-fetch";
import type { OutgoingRequest, ReceivedResponse } from "./settings.ts";

/** Types that declarations of a project name where they use `client.raw`; the project does not depend on openapi-fetch. */
export type { ClientMethod, ClientRequestMethod, FetchOptions, FetchResponse, Middleware } from "openapi-fetch";

/**
 * Plain openapi-fetch, typed by the contract: members keep their wire names, and a failure of the service is returned as `error`.
 * It throws a `ChainQueryError` only if no complete response arrives. Its middleware sees only its own calls.
 *
 * @example
 * ```ts
 * const query = { address, to_lt: "433000001" };
 * const { data, error } = await chain.raw.GET("/api/v2/getTransactionsStd", { params: { query } });
 * ```
 */
export type RawClient = Client<paths, "application/json">;

/** Calls an operation that is known at run time only. The caller guarantees the type of `wire`. */
export type CarryCall = (
  method: "GET" | "POST",
  path: string,
  wire: Record<string, unknown>,
  headers: Record<string, string> | undefined,
  send: (outgoing: OutgoingRequest) => Promise<ReceivedResponse>,
) => Promise<ReceivedResponse>;

/** Holds what openapi-fetch makes of a call. A platform Request would cost more than the rest of the call. */
class CallRequest implements OutgoingRequest {
  readonly url: string;
  declare readonly method: string;
  declare readonly headers: Headers;
  declare readonly body: string | undefined;

  constructor(url: string, init: Omit<OutgoingRequest, "url">) {
    this.url = url;
    Object.assign(this, init);
  }
}

/** Tells openapi-fetch that there is no body to read: the transport has read it. */
const delivered = { ok: true, status: 204, headers: new Map() };

/** Creates `client.raw`, and the way of the client's own calls through openapi-fetch. */
export function createCarrier(
  baseUrl: string,
  headers: Record<string, string> = {},
  sendRaw: (outgoing: OutgoingRequest, signal: AbortSignal) => Promise<ReceivedResponse>,
): { raw: RawClient; carryCall: CarryCall } {
  const raw = createOpenapiFetch<paths, "application/json">({
    baseUrl,
    headers,
    fetch: async (request) => {
      const { url, method, headers, signal } = request;
      // Of a copy: the fetch of React Native refuses a request that was read.
      const body = method === "POST" ? await request.clone().text() : undefined;
      const { response, text } = await sendRaw({ url, method, headers: new Headers(headers), body, request }, signal);
      return new Response(text || null, response);
    },
  });
  const own = createOpenapiFetch({
    baseUrl,
    headers,
    Request: CallRequest as never,
    bodySerializer: (body) => JSON.stringify(body),
  });
  // Its paths and the response of its `fetch` are not those that its types expect.
  const request = own.request as unknown as (method: string, path: string, init: object) => Promise<unknown>;

  const carryCall: CarryCall = async (method, path, wire, headers, send) => {
    let received: ReceivedResponse | undefined;
    const fetch = async (outgoing: OutgoingRequest) => {
      received = await send(outgoing);
      return delivered;
    };
    await request(method, path, { ...(method === "POST" ? { body: wire } : { params: { query: wire } }), headers, fetch });
    return received as unknown as ReceivedResponse;
  };
  return { raw, carryCall };
}
