import type { Fetch } from "../transport/settings.ts";
import { ensure } from "./proof-error.ts";

/** Bytes of a response that is read. A page of 100 transactions has about 200,000. */
const MAX_BODY = 256_000;

/** Throws if a response is longer than any with a proof. */
export function requireLength(length: number): void {
  ensure(length <= MAX_BODY, "limit", `more than ${MAX_BODY} bytes`);
}

/**
 * Wraps a `fetch` so that a response of more than 256,000 bytes is cut off while it arrives, and is never parsed: a deployment cannot fill
 * the memory of a page. Without it, a verifying client refuses such a response only after it was read.
 *
 * @param fetch - Default: `globalThis.fetch`, looked up at each request.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl, fetch: boundedFetch(monotonic()) });
 * const chain = verifying(client, { trust });
 * ```
 */
export function boundedFetch(fetch: Fetch = (request) => globalThis.fetch(request)): Fetch {
  return async (request) => {
    const response = await fetch(request);
    const reader = response.body?.getReader();
    if (!reader) return response;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let length = 0, read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      if (length > MAX_BODY) reader.cancel().catch(() => {});
      requireLength(length);
      chunks.push(read.value);
    }
    return new Response(new Blob(chunks), response);
  };
}
