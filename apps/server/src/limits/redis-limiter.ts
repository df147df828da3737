/** Rate limiters that count in Redis for all instances. */
import { RateLimiterRedis } from "rate-limiter-flexible";
import type { SharedRedis } from "../redis/connection.ts";
import { type CreateLimiter, limiterOf, rememberRefusals, windowMs } from "./limiter.ts";

/**
 * Counts in Redis: one script for each request, with windows that Redis' clock ends, so that the clocks of instances play no part. While
 * Redis is unavailable, each instance counts alone at the full rate.
 *
 * @param network - Instances of one network have common limits.
 * @param createLocal - Creates the limiters of this instance.
 */
export function redisLimiter(redis: SharedRedis, network: string, createLocal: CreateLimiter): CreateLimiter {
  return (policy, rate, events) => {
    const setting = { keyPrefix: `${network}:${policy}`, points: rate, duration: windowMs / 1000 };
    const counted = limiterOf(new RateLimiterRedis({ ...setting, storeClient: redis.client, rejectIfRedisNotReady: true }));
    const local = createLocal(policy, rate, { ...events, onLocalCount: () => {} });
    return rememberRefusals({
      async take(owner, waited) {
        try {
          const taken = redis.run(() => counted.take(`{${owner}}`), "write");
          return await (waited === undefined ? taken : within(Math.max(0, redis.replyTimeout - waited), taken));
        } catch {
          events.onLocalCount();
          return local.take(owner);
        }
      },
    });
  };
}

/** Ends the wait for a reply after some milliseconds. Redis counts the request nevertheless. */
async function within<Value>(milliseconds: number, reply: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the request has waited long enough")), milliseconds);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}
