/** A `fetch` that never goes back to an older block. */
import type { Fetch } from "./transport/settings.ts";

/**
 * Wraps a `fetch` so that no response is as of an older block than one before it, whichever instance of the deployment sends it: each
 * request asks for the highest chain-head so far as its chain-min-head. An instance that is behind sends a 503, which the client retries.
 * A deployment without these headers is read as usual. In a browser, each request then costs a CORS preflight.
 *
 * @param fetch - Default: `globalThis.fetch`, looked up at each request.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl, fetch: monotonic() });
 * ```
 */
export function monotonic(fetch: Fetch = (request) => globalThis.fetch(request)): Fetch {
  let highest = 0;
  return async (request) => {
    if (highest > 0 && !request.headers.has("chain-min-head")) request.headers.set("chain-min-head", `${highest}`);
    const response = await fetch(request);
    highest = Math.max(highest, Number(response.headers.get("chain-head")) || 0);
    return response;
  };
}
