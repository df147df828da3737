/** Limits the requests of each address and each API key, by token buckets. */
import { type ApiRequest, type ApiResponse, failure } from "../answers/exchange.ts";

/** The limit of requests with a key; without a key it is the documented one per second. */
export interface RateLimit {
  /** Requests per second. Default: no limit. */
  withKey?: number;
}

interface Bucket {
  tokens: number;
  /** Last update, in milliseconds of a monotonic clock. */
  updated: number;
}

/** Beyond this number, the bucket that was not used for the longest time is deleted, to bound the memory. */
const maxBuckets = 10_000;

/** Limits the requests of each address without a key and of each key. */
export interface Limiter {
  /** Returns a 429 for a request that comes too early. */
  refuse(request: ApiRequest, now?: number): ApiResponse | undefined;
  clear(): void;
}

/** Creates a limiter. A bucket holds the requests of one second, which may come at once. */
export function createLimiter({ withKey = Number.POSITIVE_INFINITY }: RateLimit): Limiter {
  const buckets = new Map<string, Bucket>();
  return {
    refuse({ client, headers }, now = performance.now()) {
      const key = headers["x-api-key"];
      const [policy, rate, owner] =
        key === undefined ? (["keyless", 1, `from ${client}`] as const) : (["key", withKey, `key ${key}`] as const);
      if (rate === Number.POSITIVE_INFINITY) return undefined;
      const { tokens, updated } = buckets.get(owner) ?? { tokens: rate, updated: now };
      const left = Math.min(rate, tokens + ((now - updated) / 1000) * rate);
      const served = left >= 1;
      // Deleting first moves it to the end: the map is sorted by last use.
      buckets.delete(owner);
      buckets.set(owner, { tokens: served ? left - 1 : left, updated: now });
      deleteUnused(buckets, now);
      if (served) return undefined;
      const wait = Math.max(1, Math.ceil((1 - left) / rate));
      const limit = `${rate} request${rate === 1 ? "" : "s"} per second ${key === undefined ? "without an API key" : "with this API key"}`;
      return failure(429, `rate limit exceeded: ${limit}`, {
        "retry-after": `${wait}`,
        ratelimit: `"${policy}";r=0;t=${wait}`,
      });
    },
    clear: () => buckets.clear(),
  };
}

function deleteUnused(buckets: Map<string, Bucket>, now: number): void {
  for (const [owner, { updated }] of buckets) {
    if (buckets.size <= maxBuckets && now - updated < 60_000) return;
    buckets.delete(owner);
  }
}
