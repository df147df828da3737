import { untilAborted } from "@chain-query/format/abort";
import { LiteError } from "@chain-query/lite-protocol/error";

/**
 * Runs a function with a signal that aborts after `ms`, with a `LiteError` of kind "timeout", or with the parent signal. Not
 * `AbortSignal.any` with `AbortSignal.timeout`: its reason is a `DOMException`, and its timer cannot be cleared.
 */
export async function withDeadline<Result>(
  ms: number,
  parent: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  parent?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new LiteError("timeout", `no answer within ${ms} ms`)), ms);
  const forward = () => controller.abort(parent?.reason);
  parent?.addEventListener("abort", forward, { once: true });
  try {
    return await untilAborted(run(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener("abort", forward);
  }
}

/** Resolves after `ms`, or at once when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
