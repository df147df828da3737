/** Calls without middleware on servers and in development, where constructing a Request costs more than the rest of a call. */
import { type CallRaw, headersOf, queryOf, type RawClient } from "./openapi-fetch.ts";
import type { Draft } from "./settings.ts";

/** Sends what openapi-fetch would send, without its Request and Response, unless there is middleware. */
export function withoutRequest(
  raw: RawClient,
  callRaw: CallRaw,
  baseUrl: string,
  headers: Record<string, string> | undefined,
): CallRaw | undefined {
  let isPlain = true;
  const { use } = raw;
  raw.use = (...added) => {
    isPlain = false;
    use(...added);
  };
  function allHeaders(body: string | undefined, own?: Draft["headers"]): Draft["headers"] {
    const merged = headersOf(body ? { "content-type": "application/json" } : {}, headers, own);
    return Object.fromEntries(merged as unknown as Iterable<[name: string, value: string]>);
  }
  /** The headers of calls without headers of their own. */
  const ofGet = allHeaders(undefined);
  const ofPost = allHeaders("{}");
  return (method, path, wire, own, send) => {
    if (!isPlain) return callRaw(method, path, wire, own, send);
    const body = method === "POST" ? JSON.stringify(wire) : undefined;
    const query = body ? "" : queryOf(wire);
    return send({
      url: baseUrl + path + (query && `?${query}`),
      method,
      headers: own ? allHeaders(body, own) : body ? ofPost : ofGet,
      body,
    });
  };
}
