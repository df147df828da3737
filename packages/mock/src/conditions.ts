/** Conditions of a real service: delays, failures, dropped connections, rate limits and keys. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiRequest, type ApiResponse, dropConnection, failure, type Responder } from "./responses/exchange.ts";

/** The share of requests that fail with a status. */
export interface Fault {
  /** From 0 to 1. */
  rate: number;
  /** From 400 to 599. */
  status: number;
}

/** Options that make the mock as slow and unreliable as a real service. */
export interface Conditions {
  /** Milliseconds that each response is delayed: a fixed number, or a random one from least to most. */
  latency?: number | readonly [least: number, most: number];
  /** Shares of requests that fail. */
  fail?: Fault | readonly Fault[];
  /** Share of requests, from 0 to 1, whose connection is closed without a response. */
  drop?: number;
  /** Limits requests without a key to one per second, and those with a key to `withKey` per second. */
  rateLimit?: boolean | RateLimit;
  /** Accepted keys; others get a 401. By default every key is accepted. */
  apiKeys?: readonly string[];
}

/** A responder with conditions. */
interface ConditionedResponder {
  readonly respond: Responder;
  /** Starts the random numbers and the limits again. */
  reset(): void;
}

/** Headers of failures by status, as of a real service. */
const retryLater: Record<number, Record<string, string>> = { 429: { "retry-after": "1" }, 503: { "retry-after": "1" } };

/**
 * Applies conditions before a responder. Each request takes three numbers of the seeded sequence, used or not, so that the third
 * request of every run gets the same numbers with any conditions.
 */
export function withConditions(
  respond: Responder,
  conditions: Conditions,
  seed: number,
  closing: AbortSignal,
): ConditionedResponder {
  const { latency = 0, drop = 0, rateLimit = false, apiKeys } = conditions;
  const [least, most] = typeof latency === "number" ? [latency, latency] : latency;
  const faults = [conditions.fail ?? []].flat();
  const limit = rateLimit === false ? undefined : createLimiter(rateLimit === true ? {} : rateLimit);
  let random = seeded(seed);

  function unknownKey({ headers }: ApiRequest): ApiResponse | undefined {
    const key = headers["x-api-key"];
    const isKnown = apiKeys === undefined || key === undefined || apiKeys.includes(key);
    return isKnown ? undefined : failure(401, "API key does not exist");
  }

  function faultFor(draw: number): ApiResponse | undefined {
    let reached = 0;
    for (const { rate, status } of faults) {
      reached += rate;
      if (draw < reached) return failure(status, `the mock fails ${rate} of its requests with ${status}`, retryLater[status]);
    }
    return undefined;
  }

  return {
    async respond(request) {
      const [delay, drops, fault] = [random(), random(), random()];
      const injected = drops < drop ? dropConnection : (unknownKey(request) ?? limit?.check(request) ?? faultFor(fault));
      const wait = least + delay * (most - least);
      if (wait > 0) await sleep(wait, undefined, { signal: closing }).catch(() => undefined);
      return injected ?? respond(request);
    },
    reset() {
      random = seeded(seed);
      limit?.clear();
    },
  };
}

/** Pseudo-random numbers from 0 to below 1 that depend on the seed only (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

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
  check(request: ApiRequest, now?: number): ApiResponse | undefined;
  clear(): void;
}

/** Creates a limiter. A bucket holds the requests of one second, which may come at once. */
export function createLimiter({ withKey = Number.POSITIVE_INFINITY }: RateLimit): Limiter {
  const buckets = new Map<string, Bucket>();
  return {
    check({ client, headers }, now = performance.now()) {
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
