import { type Answer, failure, type Question } from "./exchange.ts";

/** Requests per second with a key, where they are limited; without one it is the documented one. */
export interface RateLimit {
  withKey?: number;
}

interface Bucket {
  tokens: number;
  /** Milliseconds of a clock that is never set back. */
  at: number;
}

/** More callers than this at a time are not told apart for longer than a second. */
const mostBuckets = 10_000;

/** Serves one request per second for each address without a key, and as many as told for each key. */
export interface Limiter {
  /** The 429 of a request that comes too early. */
  refuse(question: Question, now?: number): Answer | undefined;
  clear(): void;
}

/** Counts by token bucket: as many as a second allows may come at once, and then one by one. */
export function limiter({ withKey = Number.POSITIVE_INFINITY }: RateLimit): Limiter {
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
      // The latest used stands last, so that the first ones are those to forget.
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
