/** Polling of `watchTransactions`: rounds of calls, pauses that a signal ends, and temporary failures. */

import { callbackRule, positiveRule, type Rule, signalRule } from "../checks/rules.ts";
import { AbortedError, ConnectionError, NotFoundError, ParseError } from "../errors.ts";
import type { CallOptions } from "../options.ts";

/**
 * Options of a watcher.
 *
 * @example
 * ```ts
 * const options: WatchOptions = { signal: controller.signal, intervalMs: 5_000, onError: (error) => console.warn(error) };
 * ```
 */
export interface WatchOptions {
  /** Ends the iteration with an `AbortedError`, whose `cause` is the reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds from the end of a poll to the next one. 2,000 by default. */
  intervalMs?: number | undefined;
  /** Receives each failure that the watcher survives, after the client's own retries. If it throws, the iteration ends with that error. */
  onError?: ((error: unknown) => void) | undefined;
}

export const watchRules: Record<keyof WatchOptions, Rule> = {
  signal: signalRule,
  intervalMs: positiveRule,
  onError: callbackRule,
};

/** Reads new items. It is called again after a pause or a failure, and continues. */
export type Round<Item> = (call: CallOptions, progress: () => void) => AsyncGenerator<Item, void>;

const longestPauseMs = 30_000;

/**
 * Iterates over the items of one round after the other. Each iteration has its own state, made by `begin`. Ending it aborts its calls and
 * pauses, even while an item is awaited.
 */
export function watch<Item>(where: string, options: WatchOptions, begin: () => Round<Item>): AsyncIterable<Item> {
  const { signal } = options;
  return {
    [Symbol.asyncIterator]() {
      const controller = new AbortController();
      const onAbort = () => controller.abort(signal?.reason);
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      const items = rounds(begin(), options, controller.signal);
      let left = false;
      const settle = async (step: Promise<IteratorResult<Item, void>>): Promise<IteratorResult<Item, void>> => {
        const { done = false, value } = await step.catch((error) => {
          signal?.removeEventListener("abort", onAbort);
          if (left) return { done: true, value: undefined };
          if (!signal?.aborted || error instanceof AbortedError) throw error;
          throw new AbortedError("aborted by its signal", { operation: where, attempts: 0 }, { cause: signal.reason });
        });
        if (done) signal?.removeEventListener("abort", onAbort);
        return done ? { done, value: undefined } : { done, value: value as Item };
      };
      return {
        next: () => settle(items.next()),
        return: () => {
          left = true;
          controller.abort();
          return settle(items.return());
        },
      };
    },
  };
}

async function* rounds<Item>(round: Round<Item>, options: WatchOptions, signal: AbortSignal): AsyncGenerator<Item, void> {
  const { intervalMs = 2_000, onError } = options;
  let failures = 0;
  let reached = false;
  const progress = () => {
    failures = 0;
    reached = true;
  };
  for (;;) {
    let pauseMs = intervalMs;
    try {
      for await (const item of round({ signal }, progress)) {
        progress();
        yield item;
        signal.throwIfAborted();
      }
      progress();
    } catch (error) {
      if (signal.aborted || !passes(error, reached)) throw error;
      onError?.(error);
      pauseMs = Math.max(Math.min(intervalMs * 2 ** failures++, longestPauseMs), intervalMs, retryAfterOf(error));
    }
    await sleep(pauseMs, signal);
  }
}

/**
 * Whether a failure may pass by itself. A 404, or a body that is not a response, may come from a node that lags or from a proxy, unless the
 * service was never reached: then the base URL is wrong.
 */
function passes(error: unknown, reached: boolean): boolean {
  if (error instanceof ConnectionError) return true;
  const { status = 0 } = Object(error) as { status?: number };
  if (status >= 500 || [408, 425, 429].includes(status)) return true;
  return reached && (error instanceof NotFoundError || error instanceof ParseError);
}

/** How long the service asks to wait, up to a minute. */
function retryAfterOf(error: unknown): number {
  const { retryAfterMs = 0 } = Object(error) as { retryAfterMs?: number };
  return Math.min(retryAfterMs, 60_000);
}

/** Waits, or rejects with the reason of the signal. No timer or listener remains. */
function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.min(milliseconds, 2 ** 31 - 1),
    );
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
