/** A `fetch` that never goes back to an older block. */
import type { Fetch } from "./transport/settings.ts";

const highestSeqno = 2 ** 32 - 1;

/**
 * Wraps a `fetch` so that no response is as of an older block than one that came before its request, whichever instance of the deployment
 * sends it: each request asks for the highest chain-head so far as its chain-min-head. An instance that is behind sends a 503, which the
 * client retries. A deployment without these headers is read as usual. Such requests are answered by no cache, and cost a CORS preflight in
 * a browser. Make one for each network, and a new one after the network was reset: until then its lower heads would be refused.
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
    const least = Math.max(highest, Number(request.headers.get("chain-min-head")));
    if (least > 0) request.headers.set("chain-min-head", `${least}`);
    const response = await fetch(request);
    const head = Number(response.headers.get("chain-head"));
    if (Number.isInteger(head) && head > highest && head <= highestSeqno) highest = head;
    return response;
  };
}
