/** A rate limit on this side of the wire, so that a caller without a key is not refused. */
import { check } from "./check.ts";

/**
 * At most `requests` starts in any window of `perMs` milliseconds, and `maxConcurrency` at once.
 *
 * @example
 * ```ts
 * const rateLimit: RateLimit = { requests: 10, perMs: 1_000, maxConcurrency: 4 };
 * const chain = createClient({ baseUrl, apiKey, rateLimit });
 * ```
 */
export interface RateLimit {
  requests: number;
  perMs: number;
  maxConcurrency?: number;
}

/**
 * Lets requests through; one may be shared by several clients.
 *
 * @example
 * ```ts
 * const release = await limiter.acquire(signal);
 * try {
 *   await fetch(url, { signal });
 * } finally {
 *   release();
 * }
 * ```
 */
export interface Limiter {
  /** Waits for a place and resolves to the function that gives it back, to be called once. Rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** Lets nothing through for so many milliseconds, as after a 429. */
  pause(milliseconds: number): void;
}

/** A longer timeout fires at once. */
export const longestTimeoutMs: number = 2 ** 31 - 1;

/**
 * Makes a limiter: first come, first served, over a sliding window, so that no window ever holds more than `requests` starts. Throws an
 * `InvalidArgumentError` for a rate that is none.
 *
 * @example
 * ```ts
 * const limiter = createLimiter({ requests: 10, perMs: 1_000, maxConcurrency: 4 });
 * const chain = createClient({ baseUrl, apiKey, rateLimit: limiter });
 * ```
 */
export function createLimiter(limit: RateLimit): Limiter {
  check("createLimiter", limit, { requests: "size", perMs: "positive", maxConcurrency: "positive" }, ["requests", "perMs"]);
  const { requests, perMs, maxConcurrency = Number.POSITIVE_INFINITY } = limit;
  const waiting = new Set<() => void>();
  /** Times of the starts that still count, oldest first. */
  const starts: number[] = [];
  let active = 0;
  let pausedUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function letThrough(): void {
    clearTimeout(timer);
    for (const start of waiting) {
      if (active >= maxConcurrency) return;
      const now = performance.now();
      const free = starts.length < requests ? 0 : (starts[0] ?? 0) + perMs;
      const wait = Math.max(free, pausedUntil) - now;
      // Timers may fire a little early, so the clock is asked again.
      if (wait > 0) {
        timer = setTimeout(letThrough, Math.min(Math.ceil(wait), longestTimeoutMs));
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
    letThrough();
  }

  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          waiting.delete(start);
          letThrough();
          reject(signal?.reason);
        };
        const start = () => {
          signal?.removeEventListener("abort", onAbort);
          resolve(release);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        waiting.add(start);
        letThrough();
      }),
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds);
    },
  };
}
