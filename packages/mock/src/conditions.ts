import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, failure, hangUp, type Question, type Responder } from "./exchange.ts";
import { seeded } from "./random.ts";
import { limiter, type RateLimit } from "./rate-limit.ts";

/** A share of requests that fail, and with which status. */
export interface Fault {
  /** From 0 to 1. */
  rate: number;
  /** From 400 to 599. */
  status: number;
}

/** What makes the mock as unreliable as the world. */
export interface Conditions {
  /** Milliseconds that every answer takes longer: always as many, or from least to most. */
  latency?: number | readonly [least: number, most: number];
  /** Shares of requests that fail. */
  fail?: Fault | readonly Fault[];
  /** Share of requests, from 0 to 1, whose connection ends without an answer. */
  drop?: number;
  /** Whether one request per second is served without a key; with one, as many as told or without limit. */
  rateLimit?: boolean | RateLimit;
  /** Keys that are known; any other is answered with 401. Without the list every key is known. */
  apiKeys?: readonly string[];
}

/** A responder that can begin anew. */
export interface Conditioned {
  respond: Responder;
  reset(): void;
}

/** Headers that a failure of this status has in the world. */
const retryLater: Record<number, Record<string, string>> = { 429: { "retry-after": "1" }, 503: { "retry-after": "1" } };

/**
 * Puts conditions before a responder. What befalls a request is drawn when it arrives, always three numbers of the seeded row, so
 * that the third request has the same luck in every run whatever else is switched on.
 */
export function conditioned(respond: Responder, conditions: Conditions, seed: number, closing: AbortSignal): Conditioned {
  const { latency = 0, drop = 0, rateLimit = false, apiKeys } = conditions;
  const [least, most] = typeof latency === "number" ? [latency, latency] : latency;
  const faults = [conditions.fail ?? []].flat();
  const limit = rateLimit === false ? undefined : limiter(rateLimit === true ? {} : rateLimit);
  let random = seeded(seed);

  function unknownKey({ headers }: Question): Answer | undefined {
    const key = headers["x-api-key"];
    const known = apiKeys === undefined || key === undefined || apiKeys.includes(key);
    return known ? undefined : failure(401, "API key does not exist");
  }

  function fault(luck: number): Answer | undefined {
    let reached = 0;
    for (const { rate, status } of faults) {
      reached += rate;
      if (luck < reached) return failure(status, `the mock fails ${rate} of its requests with ${status}`, retryLater[status]);
    }
    return undefined;
  }

  return {
    async respond(question) {
      const [slow, lost, broken] = [random(), random(), random()];
      const early = lost < drop ? hangUp : (unknownKey(question) ?? limit?.refuse(question) ?? fault(broken));
      const wait = least + slow * (most - least);
      if (wait > 0) await sleep(wait, undefined, { signal: closing }).catch(() => undefined);
      return early ?? respond(question);
    },
    reset() {
      random = seeded(seed);
      limit?.clear();
    },
  };
}
