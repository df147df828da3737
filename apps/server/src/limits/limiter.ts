/** How many requests somebody may make. The count is kept in this process, or by the primary for all workers of a cluster. */
import { LRUCache } from "lru-cache";
import { RateLimiterCluster, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** What was decided of one request. */
export interface Verdict {
  readonly allowed: boolean;
  /** Requests that are left until the limit is renewed. */
  readonly remaining: number;
  /** Milliseconds until then. */
  readonly renewal: number;
}

/** Counts the requests of each owner: an address, or a key. */
export interface Limiter {
  /** Counts one request. Rejects where the count cannot be kept. */
  take(owner: string): Promise<Verdict>;
}

/** Makes a limiter of so many requests per second; each policy counts by itself. */
export type LimiterKind = (policy: string, rate: number) => Limiter;

/** Counts in this process alone. */
export const ownLimiter: LimiterKind = (policy, rate) =>
  limiterOf(new RateLimiterMemory({ keyPrefix: policy, points: rate, duration: 1 }));

const mostRefused = 10_000;

/**
 * Counts in the primary of a cluster, which has to have a `RateLimiterClusterMaster`. Whoever was refused stays so until the renewal;
 * until then the primary is not asked again, so that a flood costs no other worker anything.
 */
export const clusterLimiter: LimiterKind = (policy, rate) => {
  const counted = limiterOf(new RateLimiterCluster({ keyPrefix: policy, points: rate, duration: 1, timeoutMs: 3000 }));
  const refusedUntil = new LRUCache<string, number>({ max: mostRefused });
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
