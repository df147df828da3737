/** When to try again, and after how long. */

/** Retries of failures that pass: all operations only read, so each may be sent again. */
export interface Retry {
  /** Attempts after the first. */
  maxRetries: number;
  /** Upper bound of the first wait, in milliseconds; it doubles with each retry. */
  baseDelayMs: number;
  /** Upper bound of any wait of our own choosing, in milliseconds. */
  maxDelayMs: number;
  /** HTTP statuses that are tried again. 500 is not among them by default, as it often means "not in this node's history". */
  statuses: readonly number[];
}

/** A longer wait is left to the caller. */
export const longestRetryAfterMs = 60_000;

/**
 * Full jitter: anywhere from nothing to a bound that doubles, so that clients which failed together do not return together.
 *
 * @see {@link https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/}
 */
export function backoffMs({ baseDelayMs, maxDelayMs }: Retry, retries: number): number {
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retries);
}

/** Reads `retry-after-ms`, or Retry-After in seconds or as a date (RFC 9110, 10.2.3); nothing where there is none that makes sense. */
export function retryAfterMs(headers: Headers): number | undefined {
  const milliseconds = headers.get("retry-after-ms");
  const seconds = headers.get("retry-after");
  const wait =
    milliseconds !== null && /^\d+(\.\d+)?$/.test(milliseconds)
      ? Number(milliseconds)
      : seconds !== null && /^\d+(\.\d+)?$/.test(seconds)
        ? Number(seconds) * 1000
        : Date.parse(/[a-z]/i.test(seconds ?? "") ? (seconds ?? "") : "") - Date.now();
  return wait >= 0 ? Math.ceil(wait) : Number.isNaN(wait) ? undefined : 0;
}
