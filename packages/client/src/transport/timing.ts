/** Time limits, and the wait before a retry. */

/**
 * Retries of temporary failures. All operations only read, so each is safe to repeat.
 *
 * @example
 * ```ts
 * const retry: Partial<Retry> = { maxRetries: 5, maxDelayMs: 2_000, statuses: [429, 503] };
 * const chain = createClient({ baseUrl, retry });
 * ```
 */
export interface Retry {
  /** Attempts after the first. */
  maxRetries: number;
  /** Upper bound of the first wait, in milliseconds; it doubles with each retry. */
  baseDelayMs: number;
  /** Upper bound of the waits that the client chooses, in milliseconds. */
  maxDelayMs: number;
  /** HTTP statuses to retry. 500 is not among the defaults: it often means "not in this node's history". */
  statuses: readonly number[];
}

/** A longer wait is left to the caller. */
export const longestRetryAfterMs = 60_000;

/**
 * Exponential backoff with full jitter: a random wait below a bound that doubles, so that clients do not retry in step.
 *
 * @see {@link https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/}
 */
export function backoffMs({ baseDelayMs, maxDelayMs }: Retry, retries: number): number {
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retries);
}

/** The reason of an aborted signal, which those of React Native do not have. */
export function abortReason({ reason = new Error("aborted") }: AbortSignal): unknown {
  return reason;
}

/** As `signal.throwIfAborted()`, which signals of React Native do not have. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortReason(signal);
}

/** Reads `retry-after-ms`, or Retry-After in seconds or as a date (RFC 9110 §10.2.3); undefined if absent or malformed. */
export function retryAfterMs(headers: Headers): number | undefined {
  const header = (name: string) => `${headers.get(name)}`;
  const milliseconds = Number.parseFloat(header("retry-after-ms"));
  const after = header("retry-after");
  // The clock of the service counts, if it sends its time: that of this machine may differ by minutes.
  const sent = Date.parse(header("date")) || Date.now();
  // Date.parse accepts almost any text; a real HTTP date has a time of day.
  const other = /:/.test(after) ? Math.max(0, Date.parse(after) - sent) : Number.parseFloat(after) * 1_000;
  const wait = Math.ceil(milliseconds >= 0 ? milliseconds : other);
  return wait >= 0 && wait < unlimited ? wait : undefined;
}

/** A time without an end: infinity. */
export const unlimited: number = 1 / 0;

/** How far timers are ahead of `performance`, which fake timers may leave as it is. */
let aheadMs = 0;

/** Milliseconds of a clock that never goes back and, when a timer fires, has passed its time. */
export function now(): number {
  return performance.now() + aheadMs;
}

/** As `setTimeout`, which fires immediately if the delay is longer than this. */
export function startTimer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  const delay = Math.min(ms, 2 ** 31 - 1);
  const due = now() + delay;
  return setTimeout(() => {
    const early = due - now();
    // Real timers fire up to a millisecond early.
    if (early > 2 + delay / 2) aheadMs += Math.ceil(early);
    run();
  }, delay);
}

/**
 * Runs a task, or just waits, until the time is over or the signal aborts. A task that ignores its signal does not delay the end.
 */
export function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  task?: (signal: AbortSignal) => Promise<T>,
  onTimeout?: () => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const stop = (why: unknown) => {
      end();
      reject(why);
      controller.abort(why);
    };
    const onAbort = () => stop(signal && abortReason(signal));
    const timer = ms < unlimited ? startTimer(() => stop(onTimeout?.()), ms) : undefined;
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) return onAbort();
    task?.(controller.signal).then((done) => {
      end();
      resolve(done);
    }, stop);
  });
}
