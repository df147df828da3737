import { type ApiRequest, type ApiResponse, failure } from "../answers/exchange.ts";

/** The limit of requests with a key; without a key it is the documented one per second. */
export interface RateLimit {
  /** Requests per second. Default: no limit. */
  withKey?: number;
}

interface Bucket {
  tokens: number;
  /** Milliseconds of a monotonic clock. */
  at: number;
}

/** More callers than this are remembered for a second only. */
const mostBuckets = 10_000;

/** Limits the requests of each address without a key and of each key. */
export interface Limiter {
  /** Returns a 429 for a request that comes too early. */
  refuse(request: ApiRequest, now?: number): ApiResponse | undefined;
  clear(): void;
}

/** Counts with token buckets: the requests of one second may come at once. */
export function createLimiter({ withKey = Number.POSITIVE_INFINITY }: RateLimit): Limiter {
  const buckets = new Map<string, Bucket>();
  return {
    refuse({ client, headers }, now = performance.now()) {
      const key = headers["x-api-key"];
      const [policy, rate, owner] =
        key === undefined ? (["keyless", 1, `from ${client}`] as const) : (["key", withKey, `key ${key}`] as const);
      if (rate === Number.POSITIVE_INFINITY) return undefined;
      const { tokens, at } = buckets.get(owner) ?? { tokens: rate, at: now };
      const left = Math.min(rate, tokens + ((now - at) / 1000) * rate);
      const served = left >= 1;
      // Sorted by last use, so that the first ones can be deleted.
      buckets.delete(owner);
      buckets.set(owner, { tokens: served ? left - 1 : left, at: now });
      forget(buckets, now);
      if (served) return undefined;
      const wait = Math.max(1, Math.ceil((1 - left) / rate));
      const words = `${rate} request${rate === 1 ? "" : "s"} per second ${key === undefined ? "without an API key" : "with this API key"}`;
      return failure(429, `rate limit exceeded: ${words}`, {
        "retry-after": `${wait}`,
        ratelimit: `"${policy}";r=0;t=${wait}`,
      });
    },
    clear: () => buckets.clear(),
  };
}

function forget(buckets: Map<string, Bucket>, now: number): void {
  for (const [owner, { at }] of buckets) {
    if (buckets.size <= mostBuckets && now - at < 60_000) return;
    buckets.delete(owner);
  }
}
