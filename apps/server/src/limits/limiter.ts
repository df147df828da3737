/** Rate limiters, which count in this process or in the primary of a cluster. */
import { LRUCache } from "lru-cache";
import { RateLimiterCluster, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** The decision about one request. */
export interface Verdict {
  readonly allowed: boolean;
  /** Requests left until the limit renews. */
  readonly remaining: number;
  /** Milliseconds until the limit renews. */
  readonly renewal: number;
}

/** Counts the requests of each owner: an address, or a key. */
export interface Limiter {
  /** Counts one request. Rejects if the count cannot be kept. */
  take(owner: string): Promise<Verdict>;
}

/** Creates a limiter of `rate` requests per second. Each policy has its own counts. */
export type CreateLimiter = (policy: string, rate: number) => Limiter;

/** Counts in this process. */
export const memoryLimiter: CreateLimiter = (policy, rate) =>
  limiterOf(new RateLimiterMemory({ keyPrefix: policy, points: rate, duration: 1 }));

const maxRefused = 10_000;

/**
 * Counts in the primary of a cluster, which needs a `RateLimiterClusterMaster`. A refused owner is remembered here until the limit
 * renews, so that a flood of requests costs the primary and the other workers nothing.
 */
export const clusterLimiter: CreateLimiter = (policy, rate) => {
  const counted = limiterOf(new RateLimiterCluster({ keyPrefix: policy, points: rate, duration: 1, timeoutMs: 3000 }));
  const refusedUntil = new LRUCache<string, number>({ max: maxRefused });
  return {
    async take(owner) {
      const renewal = (refusedUntil.get(owner) ?? 0) - Date.now();
      if (renewal > 0) return { allowed: false, remaining: 0, renewal };
      const verdict = await counted.take(owner);
      if (!verdict.allowed) refusedUntil.set(owner, Date.now() + verdict.renewal);
      return verdict;
    },
  };
};

function limiterOf(library: { consume(owner: string): Promise<RateLimiterRes> }): Limiter {
  return {
    async take(owner) {
      try {
        return verdictOf(true, await library.consume(owner));
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return verdictOf(false, refused);
        throw refused;
      }
    },
  };
}

function verdictOf(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Verdict {
  return { allowed, remaining: remainingPoints, renewal: msBeforeNext };
}
