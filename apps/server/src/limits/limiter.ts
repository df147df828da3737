/** Rate limiters, which count in this process, or in Redis for several instances. */
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { SharedRedis } from "./redis.ts";

/** The decision about one request. */
export interface Decision {
  readonly allowed: boolean;
  /** Requests left until the limit renews. */
  readonly remaining: number;
  /** Milliseconds until the limit renews. */
  readonly renewal: number;
}

/** Counts the requests of each owner: an address, or a key. */
export interface Limiter {
  /** Counts one request. */
  take(owner: string): Promise<Decision>;
  /** The decision about an owner who is known to be refused, without asking Redis. */
  refusal?(owner: string): Decision | undefined;
}

/** Receives what happens to a limiter that counts in Redis. */
export interface LimiterEvents {
  /** This process counted a request alone. */
  readonly onLocalCount: () => void;
}

/** Creates a limiter of `rate` requests per second. Each policy has its own counts. */
export type CreateLimiter = (policy: string, rate: number, events: LimiterEvents) => Limiter;

/** Milliseconds after which a limit renews. */
const windowMs = 1000;

/** Counts in this process. */
export const memoryLimiter: CreateLimiter = (policy, rate) =>
  limiterOf(new RateLimiterMemory({ keyPrefix: policy, points: rate, duration: windowMs / 1000 }));

/**
 * Counts in Redis: one script for each request, with windows that Redis' clock ends, so that the clocks of instances play no part. While
 * Redis does not count, each instance counts alone at the full rate.
 *
 * @param network - Instances of one network have common limits.
 */
export function redisLimiter(redis: SharedRedis, network: string): CreateLimiter {
  return (policy, rate, { onLocalCount }) => {
    const setting = { keyPrefix: `${network}:${policy}`, points: rate, duration: windowMs / 1000 };
    const memory = new RateLimiterMemory(setting);
    const consume = memory.consume.bind(memory);
    memory.consume = (...request) => {
      onLocalCount();
      return consume(...request);
    };
    const alone = limiterOf(memory);
    const together = limiterOf(new RateLimiterRedis({ ...setting, storeClient: redis.client, insuranceLimiter: memory }));
    return rememberRefusals({ take: (owner) => (redis.problem === undefined ? together : alone).take(`{${owner}}`) });
  };
}

const maxRefused = 10_000;

/** Remembers a refused owner until the limit renews, so that a flood of requests costs Redis nothing. */
export function rememberRefusals(counted: Limiter): Limiter {
  // Times of `performance.now()`: the system clock may be set back.
  const refusedUntil = new LRUCache<string, number>({ max: maxRefused });
  const refusal = (owner: string): Decision | undefined => {
    const renewal = (refusedUntil.get(owner) ?? 0) - performance.now();
    return renewal > 0 ? { allowed: false, remaining: 0, renewal } : undefined;
  };
  return {
    refusal,
    async take(owner) {
      const refused = refusal(owner);
      if (refused !== undefined) return refused;
      const decision = await counted.take(owner);
      if (!decision.allowed) refusedUntil.set(owner, performance.now() + decision.renewal);
      return decision;
    },
  };
}

/** A limiter of the library, whose refusals are not errors. */
function limiterOf(library: { consume(owner: string): Promise<RateLimiterRes> }): Limiter {
  return {
    async take(owner) {
      try {
        return decisionOf(true, await library.consume(owner));
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return decisionOf(false, refused);
        throw refused;
      }
    },
  };
}

/** In memory, the library computes the renewal from the system clock, which may have been set back in this window. */
function decisionOf(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Decision {
  return { allowed, remaining: remainingPoints, renewal: Math.min(msBeforeNext, windowMs) };
}
