/** Queries that one server may have to answer at a time. */
export const MAX_IN_FLIGHT = 32;

/** The rate does not fall below this many queries a second. */
const LEAST_RATE = 1;
/** Seconds in which a rate that fell to nothing is back at the configured one. */
const RECOVERY_SECONDS = 30;

/**
 * How many queries one server receives: so many at a time, and a token bucket for those of a second. A server that refuses queries
 * because of its own limit halves the rate, which then grows again.
 */
export class ServerLimit {
  #inFlight = 0;
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

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Queries a second at this time. */
  get rate(): number {
    this.#fill();
    return this.#rate;
  }

  /** Milliseconds until a query may be sent: 0 for now, `Infinity` if one has to end first. */
  delay(): number {
    if (this.#inFlight >= MAX_IN_FLIGHT) return Number.POSITIVE_INFINITY;
    this.#fill();
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / this.#rate) * 1000);
  }

  /** Whether a query may be sent now; if so, `release` has to follow when it has ended. */
  take(): boolean {
    if (this.delay() > 0) return false;
    this.#tokens -= 1;
    this.#inFlight += 1;
    return true;
  }

  release(): void {
    this.#inFlight -= 1;
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

/** A second's queries may be sent at once. */
function bucketSize(rate: number): number {
  return Math.max(1, rate);
}
