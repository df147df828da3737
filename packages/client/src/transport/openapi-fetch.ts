/** The only importer of openapi-fetch. */
import type { paths } from "@chain-query/types";
import createOpenapiFetch, { type Client, createQuerySerializer, type Middleware, mergeHeaders } from "openapi-fetch";
import type { Draft, Received } from "./settings.ts";

export type { Middleware };

// With types of their own: from CommonJS, TypeScript 7 finds only types in openapi-fetch, which has `export =` beside its exports.
export const queryOf: (wire: Record<string, unknown>) => string = /* @__PURE__ */ createQuerySerializer();
export const headersOf: (...each: (Record<string, string> | undefined)[]) => Headers = mergeHeaders;

/**
 * Plain openapi-fetch, typed by the contract: members keep their wire names, and a failure of the service is returned as `error`.
 * It throws a `ChainQueryError` only if no complete response arrives.
 *
 * @example
 * ```ts
 * const query = { address, to_lt: "433000001" };
 * const { data, error } = await chain.raw.GET("/api/v2/getTransactionsStd", { params: { query } });
 * ```
 */
export type RawClient = Client<paths, "application/json">;

/** Calls an operation that is known at run time only. The caller guarantees the type of `wire`. */
export type CallRaw = (
  method: "GET" | "POST",
  path: string,
  wire: Record<string, unknown>,
  headers: Record<string, string> | undefined,
  send: (draft: Draft) => Promise<Received>,
) => Promise<Received>;

/** Creates an openapi-fetch client, and a way to call its operations at run time. */
export function createRawClient(
  baseUrl: string,
  headers: Record<string, string> | undefined,
  send: (draft: Draft, signal: AbortSignal) => Promise<Received>,
): { raw: RawClient; callRaw: CallRaw } {
  const raw = createOpenapiFetch<paths, "application/json">({
    baseUrl,
    ...(headers && { headers }),
    fetch: async (request) => unread(await send(wrapped(request), request.signal)),
  });
  const request = raw.request as (method: string, path: string, init: object) => ReturnType<RawClient["request"]>;

  const callRaw: CallRaw = async (method, path, wire, headers, send) => {
    let received: Received | undefined;
    let made: Response | undefined;
    const { data, error, response } = await request(method, path, {
      ...(method === "POST" ? { body: wire } : { params: { query: wire } }),
      headers,
      parseAs: "text",
      fetch: async (request: Request) => {
        received = await send(wrapped(request));
        made = unread(received);
        return made;
      },
    });
    if (received && response === made) return received;
    // Middleware has changed the response. openapi-fetch has parsed the body of a failure if it is JSON.
    return { response, text: data ?? JSON.stringify(error) ?? "", key: received?.key };
  };
  return { raw, callRaw };
}

const wrapped = (request: Request): Draft => {
  const { url, method, headers } = request;
  return { url, method, headers: Object.fromEntries(headers as unknown as Iterable<[name: string, value: string]>), request };
};

const unread = ({ response, text }: Received): Response => new Response(text || null, response);
