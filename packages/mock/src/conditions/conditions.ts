/** Conditions: delays, failures, dropped connections, limits and keys, as of a real service. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiRequest, type ApiResponse, failure, hangUp, type Responder } from "../answers/exchange.ts";
import { createLimiter, type RateLimit } from "./rate-limit.ts";

/** The share of requests that fail with a status. */
export interface Fault {
  /** From 0 to 1. */
  rate: number;
  /** From 400 to 599. */
  status: number;
}

/** Options that make the mock as slow and unreliable as a real service. */
export interface Conditions {
  /** Milliseconds that each answer is delayed: a fixed number, or a random one from least to most. */
  latency?: number | readonly [least: number, most: number];
  /** Shares of requests that fail. */
  fail?: Fault | readonly Fault[];
  /** Share of requests, from 0 to 1, whose connection is closed without an answer. */
  drop?: number;
  /** Limits requests without a key to one per second, and those with a key to `withKey` per second. */
  rateLimit?: boolean | RateLimit;
  /** Accepted keys; others get a 401. By default every key is accepted. */
  apiKeys?: readonly string[];
}

/** A responder with conditions. */
export interface ConditionedResponder {
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
      const early = drops < drop ? hangUp : (unknownKey(request) ?? limit?.refuse(request) ?? faultFor(fault));
      const wait = least + delay * (most - least);
      if (wait > 0) await sleep(wait, undefined, { signal: closing }).catch(() => undefined);
      return early ?? respond(request);
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
