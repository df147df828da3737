/** A client-side rate limit, so that callers without a key are not rejected. */
import { checkOptions } from "#checks";
import type { Limiter, RateLimit } from "./settings.ts";
import { longestTimeoutMs, unlimited, within } from "./timing.ts";

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

/** Starts a limiter with a rate, and with another one after its first pause. */
export function startLimiter(limit: RateLimit, afterPause: RateLimit | undefined): Limiter {
  checkOptions("limit", limit);
  let { requests, perMs, maxConcurrency = unlimited } = limit;
  const waiting = new Set<() => void>();
  /** Times of the starts within the window, oldest first. */
  const starts: number[] = [];
  let active = 0;
  let pausedUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function admit(): void {
    clearTimeout(timer);
    for (const start of waiting) {
      if (active >= maxConcurrency) return;
      const now = performance.now();
      const free = starts.length < requests ? 0 : (starts[0] ?? 0) + perMs;
      const wait = Math.max(free, pausedUntil) - now;
      // Timers may fire a little early, so the clock is read again.
      if (wait > 0) {
        timer = setTimeout(admit, Math.min(Math.ceil(wait), longestTimeoutMs));
        return;
      }
      starts.push(now);
      while ((starts[0] ?? now) + perMs <= now) starts.shift();
      active++;
      waiting.delete(start);
      start();
    }
  }

  function release(): void {
    active--;
    admit();
  }

  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          waiting.delete(start);
          admit();
          reject(signal?.reason);
        };
        const start = () => {
          signal?.removeEventListener("abort", onAbort);
          resolve(release);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        waiting.add(start);
        admit();
      }),
    pause(milliseconds) {
      ({ requests, perMs, maxConcurrency = unlimited } = afterPause ?? limit);
      pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds);
    },
  };
}

/** Waits for the limiter no longer than the call lasts, even if the limiter ignores its signal. */
export async function admission(limiter: Limiter, signal: AbortSignal | undefined): Promise<() => void> {
  const granted = limiter.acquire(signal);
  if (!signal) return granted;
  return within(unlimited, signal, () => granted).catch((reason) => {
    granted.then((release) => release()).catch(() => {});
    throw reason;
  });
}
