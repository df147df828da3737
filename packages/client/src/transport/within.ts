/** A time without an end. */
export const unlimited: number = Number.POSITIVE_INFINITY;

/** The longest delay of `setTimeout`; a longer one fires immediately. */
export const longestTimeoutMs: number = 2 ** 31 - 1;

/**
 * Runs a task, or just waits, until the time is over or the signal aborts. A task that ignores its signal does not delay the end.
 */
export function within<T>(
  milliseconds: number,
  around: AbortSignal | undefined,
  task?: (signal: AbortSignal) => Promise<T>,
  late?: () => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const stop = (why: unknown) => {
      end();
      reject(why);
      controller.abort(why);
    };
    const onAbort = () => stop(around?.reason);
    const timer =
      milliseconds < unlimited ? setTimeout(() => stop(late?.()), Math.min(milliseconds, longestTimeoutMs)) : undefined;
    const end = () => {
      clearTimeout(timer);
      around?.removeEventListener("abort", onAbort);
    };
    around?.addEventListener("abort", onAbort);
    if (around?.aborted) return onAbort();
    task?.(controller.signal).then((done) => {
      end();
      resolve(done);
    }, stop);
  });
}
