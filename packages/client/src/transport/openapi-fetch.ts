/** The only importer of openapi-fetch. */
import type { paths } from "@chain-query/types";
import createOpenapiFetch, { type Client, type Middleware } from "openapi-fetch";
import type { Draft, Received } from "./settings.ts";

export type { Middleware };

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

/** Sends a request. */
type Send = (request: Draft) => Promise<Received>;

/** Calls an operation that is known at run time only. The caller guarantees the type of `wire`. */
type CallRaw = (
  method: "get" | "post",
  path: string,
  wire: object,
  headers: Record<string, string> | undefined,
  send: Send,
) => Promise<Received>;

/** Creates an openapi-fetch client, and a faster way to call it. */
export function createRawClient(
  baseUrl: string,
  headers: Record<string, string> | undefined,
  middleware: readonly Middleware[],
  send: (request: Request) => Promise<Received>,
): { raw: RawClient; callRaw: CallRaw } {
  const raw = createOpenapiFetch<paths, "application/json">({
    baseUrl,
    ...(headers && { headers }),
    fetch: async (request) => unread(await send(request)),
  });
  const { use } = raw;
  let isPlain = true;
  raw.use = (...added) => {
    isPlain = false;
    use(...added);
  };
  if (middleware.length > 0) raw.use(...middleware);
  const request = raw.request as (method: string, path: string, init: object) => ReturnType<RawClient["request"]>;
  return {
    raw,
    async callRaw(method, path, wire, headers, send) {
      const make = isPlain ? asRead : unread;
      let received: Received | undefined;
      const { data, error, response } = await request(method, path, {
        ...(method === "post" ? { body: wire } : { params: { query: wire } }),
        headers,
        Request: isPlain ? Plain : undefined,
        parseAs: "text",
        fetch: async (draft: Draft) => {
          received = await send(draft);
          return make(received);
        },
      });
      if (received && make === asRead) return received;
      // Middleware may have changed the response. openapi-fetch has parsed the body of a failure if it is JSON.
      const text = data ?? JSON.stringify(error) ?? "";
      return { response, text, key: received?.key };
    },
  };
}

/** Replaces the Request class if there is no middleware: constructing a Request is the slowest step of a call. */
function Plain(url: string, init: object): object {
  return { ...init, url };
}

/** The members of a Response that openapi-fetch reads: constructing a Response is as slow as a Request. */
const asRead = ({ text }: Received): object => ({ ok: true, headers: new Map(), text: () => text });

const unread = ({ response, text }: Received): Response => new Response(text || null, response);
