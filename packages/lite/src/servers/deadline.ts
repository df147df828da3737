import { untilAborted } from "@chain-query/format/async";
import { LiteError } from "../wire/lite-error.ts";

/** Milliseconds by which a timer fires late if this process stood still. */
const STALLED = 100;

/**
 * Runs a function with a signal that aborts after `ms`, with a `LiteError` of kind "timeout", or with the parent signal. Not
 * `AbortSignal.any` with `AbortSignal.timeout`: its reason is a `DOMException`, and its timer cannot be cleared.
 *
 * Time in which this process stood still does not count: its timers fire before it reads the answers that have arrived meanwhile, so that
 * all servers would be late at once.
 */
export async function withDeadline<Result>(
  ms: number,
  parent: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  parent?.throwIfAborted();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number): void => {
    const due = performance.now() + left;
    timer = setTimeout(() => {
      const late = performance.now() - due;
      if (late > STALLED) wait(Math.min(late, ms));
      else controller.abort(new LiteError("timeout", `no answer within ${ms} ms`));
    }, left);
  };
  wait(ms);
  const forward = () => controller.abort(parent?.reason);
  parent?.addEventListener("abort", forward, { once: true });
  try {
    return await untilAborted(run(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener("abort", forward);
  }
}
