/** The rate limit, the back-off and the latency of one server. */
import { backOff } from "@chain-query/format/async";

/** Queries in flight to one server at most. */
export const MAX_IN_FLIGHT = 32;

/** The rate does not fall below this many queries a second. */
const LEAST_RATE = 1;
/** Seconds until a rate of zero is back at the configured rate. */
const RECOVERY_SECONDS = 30;

/**
 * Limits the queries to one server: in flight by a number, per second by a token bucket. The rate is halved when the server refuses a query
 * because of its own limit, and then grows again.
 */
export class ServerLimit {
  inFlight = 0;
  #rate: number;
  #tokens: number;
  #filledAt: number = performance.now();
  readonly #configured: number;

  /** @param rate - Queries a second; `Infinity` for no limit. */
  constructor(rate: number) {
    this.#configured = rate;
    this.#rate = rate;
    this.#tokens = bucketSize(rate);
  }

  get rate(): number {
    this.#fill();
    return this.#rate;
  }

  /** Milliseconds until a query may be sent: 0 for now, `Infinity` if another query has to end first. */
  delay(): number {
    if (this.inFlight >= MAX_IN_FLIGHT) return Number.POSITIVE_INFINITY;
    this.#fill();
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / this.#rate) * 1000);
  }

  /** Takes a place for a query, if possible. The caller calls `release` when the query has ended. */
  take(): boolean {
    if (this.delay() > 0) return false;
    this.#tokens -= 1;
    this.inFlight += 1;
    return true;
  }

  release(): void {
    this.inFlight -= 1;
  }

  /** The server has refused a query because of its limit. */
  halve(): void {
    this.#fill();
    const now = Number.isFinite(this.#rate) ? this.#rate : 2 * MAX_IN_FLIGHT;
    this.#rate = Math.max(LEAST_RATE, now / 2);
    this.#tokens = 0;
  }

  #fill(): void {
    const now = performance.now();
    const seconds = (now - this.#filledAt) / 1000;
    this.#filledAt = now;
    if (this.#rate === Number.POSITIVE_INFINITY) return;
    this.#tokens = Math.min(bucketSize(this.#rate), this.#tokens + seconds * this.#rate);
    const target = Number.isFinite(this.#configured) ? this.#configured : 1e6;
    this.#rate = Math.min(target, this.#rate + (seconds * target) / RECOVERY_SECONDS);
  }
}

/** The queries of one second may be sent at once. */
function bucketSize(rate: number): number {
  return Math.max(1, rate);
}

/** Milliseconds of success after which the back-off starts again. */
const RECOVERED_AFTER = 10_000;

/**
 * Exponential back-off of a failing server: 1 s, then twice as long after each failure, up to 60 s. Random jitter of up to a half avoids
 * that all servers are tried at the same time.
 */
export class Backoff {
  readonly #pauses = backOff(1_000, 60_000);
  #worksSince: number | undefined;

  succeed(): void {
    this.#worksSince ??= performance.now();
  }

  /** The server failed. Returns the whole milliseconds until the next attempt. */
  fail(): number {
    if (this.#worksSince !== undefined && performance.now() - this.#worksSince >= RECOVERED_AFTER) this.#pauses.reset();
    this.#worksSince = undefined;
    return Math.round(this.#pauses.next() * (1 - Math.random() / 2));
  }
}

/** Weight of the newest answer in the average. */
const WEIGHT = 0.25;
/** Milliseconds after which an average counts half, so that slow servers are tried again. */
const HALF_LIFE = 30_000;

/** The average latency of one server, with more weight on recent answers. */
export class Latency {
  /** Milliseconds; undefined before the first answer. */
  average: number | undefined;
  #at = 0;

  add(ms: number): void {
    this.average = this.average === undefined ? ms : this.average + WEIGHT * (ms - this.average);
    this.#at = performance.now();
  }

  /** The average for comparisons, which decays while there are no answers. */
  get expected(): number {
    return (this.average ?? 0) * 2 ** ((this.#at - performance.now()) / HALF_LIFE);
  }
}
