/** A client-side rate limit, so that callers without a key are not rejected. */
import { checkOptions } from "#diagnostics";
import type { Limiter, RateLimit } from "./settings.ts";
import { now, startTimer, throwIfAborted, unlimited, withTimeout } from "./timing.ts";

/**
 * Creates a limiter: first in, first out, over a sliding window, so that no window holds more than `requests` starts. Throws an
 * `InvalidArgumentError` if the rate is invalid.
 *
 * @example
 * ```ts
 * const limiter = createLimiter({ requests: 10, perMs: 1_000, maxConcurrency: 4 });
 * const chain = createClient({ baseUrl, apiKey, rateLimit: limiter });
 * ```
 */
export function createLimiter(limit: RateLimit): Limiter {
  return startLimiter(limit, undefined);
}

/** Starts a limiter, which switches to the other limit, if given, after the first 429. */
export function startLimiter(limit: RateLimit, limitAfter429: RateLimit | undefined): Limiter {
  checkOptions("limit", limit);
  let rate = limit;
  const waiting = new Set<() => void>();
  /** Times of the starts within the window, oldest first. */
  const starts: number[] = [];
  let active = 0;
  let pausedUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Milliseconds until the next start is allowed, even where it is in the past; infinity while all slots are in use. */
  function waitMs(): number {
    const free = starts.length < rate.requests ? 0 : Number(starts[0]) + rate.perMs;
    return active === rate.maxConcurrency ? unlimited : Math.max(free, pausedUntil) - now();
  }

  function take(): () => void {
    const start = now();
    starts.push(start);
    while (Number(starts[0]) + rate.perMs <= start) starts.shift();
    active++;
    return release;
  }

  function admit(): void {
    clearTimeout(timer);
    for (const start of waiting) {
      // Timers may fire a little early, so the clock is read again. A call that ends wakes those that wait for a slot.
      const wait = waitMs();
      if (wait > 0) {
        timer = startTimer(admit, wait);
        return;
      }
      waiting.delete(start);
      start();
    }
  }

  function release(): void {
    active--;
    admit();
  }

  return {
    tryAcquire() {
      const wait = waitMs();
      const ahead = waiting.size;
      return ahead || wait > 0 ? wait + (ahead / rate.requests) * rate.perMs : take();
    },
    async acquire(signal) {
      throwIfAborted(signal);
      let start = () => {};
      const granted = () =>
        new Promise<() => void>((resolve) => {
          start = () => resolve(take());
          waiting.add(start);
          admit();
        });
      return withTimeout(unlimited, signal, granted).catch((reason) => {
        if (waiting.delete(start)) admit();
        else release();
        throw reason;
      });
    },
    pause(milliseconds) {
      rate = limitAfter429 ?? limit;
      pausedUntil = Math.max(pausedUntil, now() + milliseconds);
    },
  };
}
