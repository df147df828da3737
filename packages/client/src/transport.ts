/** What lies below openapi-fetch: key, limiter, timeouts, retries. A request goes in, a whole answer comes out. */
import { AbortedError, ChainQueryError, ConnectionError, ParseError, TimeoutError } from "./errors.ts";
import type { Emit } from "./hooks.ts";
import { type Limiter, longestTimeoutMs } from "./limiter.ts";
import { backoffMs, longestRetryAfterMs, type Retry, retryAfterMs } from "./retry.ts";

/**
 * What `fetch` does; `globalThis.fetch` is one. The request carries its signal.
 *
 * @example
 * ```ts
 * const shown: Fetch = async (request) => {
 *   const response = await fetch(request);
 *   console.log(request.url, response.status);
 *   return response;
 * };
 * ```
 */
export type Fetch = (request: Request) => Promise<Response>;

/** How a call is sent. */
export interface TransportSettings extends Retry {
  readonly key: (operation: string) => Promise<string | undefined>;
  readonly fetch?: Fetch | undefined;
  readonly limiter: Limiter | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly emit: Emit;
  /** The caller's own. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request as often as it takes and resolves to an answer whose body has wholly arrived. */
export async function transmit(
  request: Request,
  settings: TransportSettings,
  call: { operation: string; attempts: number },
): Promise<Response> {
  const { limiter, timeoutMs, deadlineMs, emit, signal: aborting } = settings;
  const deadline = performance.now() + deadlineMs;
  let retries = 0;
  const whole = span(aborting, deadlineMs, () => new TimeoutError(`no answer within the deadline of ${deadlineMs} ms`, call));
  // A body can be read once; without its text it could not be sent again.
  const body = request.method === "POST" ? await request.text() : null;

  async function attempt(): Promise<Response | { status: number; delayMs: number }> {
    whole.signal.throwIfAborted();
    const release = await limiter?.acquire(whole.signal);
    const { signal, ended, end } = span(
      whole.signal,
      timeoutMs,
      () => new TimeoutError(`no whole answer within ${timeoutMs} ms`, call),
    );
    try {
      const apiKey = await Promise.race([ended, settings.key(call.operation)]);
      if (apiKey !== undefined) request.headers.set("X-API-Key", apiKey);
      // A redirect would carry the key along; workerd knows no `redirect: "error"`.
      const sent = new Request(request, { signal, redirect: "manual", body });
      call.attempts++;
      emit("onRequest", { call, method: sent.method, url: sent.url.replace(/\?.*/, "") });
      const began = performance.now();
      const response = await Promise.race([ended, (settings.fetch ?? globalThis.fetch)(sent)]);
      const { status, statusText, headers } = response;
      emit("onResponse", { call, status, durationMs: performance.now() - began });
      const discard = () => response.body?.cancel().catch(() => {});
      // A browser shows nothing of a redirect, and calls its status 0.
      if (/^(0|30[12378])$/.test(`${status}`)) {
        discard();
        throw new ParseError(`HTTP ${status}, a redirect, which is not followed: ${headers.get("location")}`, call, { status });
      }
      const delayMs = retryAfterMs(headers) ?? backoffMs(settings, retries);
      if (status === 429) limiter?.pause(Math.min(delayMs, longestRetryAfterMs));
      if (settings.statuses.includes(status) && mayRetry(delayMs)) {
        discard();
        return { status, delayMs };
      }
      // Read here, so that a body that stalls or breaks off is one more failed attempt.
      const text = await Promise.race([ended, response.text()]);
      return new Response(/^(204|205|304)$/.test(`${status}`) ? null : text, { status, statusText, headers });
    } catch (error) {
      throw error instanceof ChainQueryError
        ? error
        : new ConnectionError(`no whole answer: ${reason(error)}`, call, { cause: error });
    } finally {
      end();
      release?.();
    }
  }

  const mayRetry = (delayMs: number) =>
    retries < settings.maxRetries && delayMs <= longestRetryAfterMs && delayMs < deadline - performance.now();

  try {
    for (; ; retries++) {
      const wait = await attempt().catch((error: unknown) => {
        const delayMs = backoffMs(settings, retries);
        if (!(error instanceof ConnectionError) || whole.signal.aborted || !mayRetry(delayMs)) throw error;
        return { error, delayMs };
      });
      if (wait instanceof Response) return wait;
      emit("onRetry", { call, ...wait });
      const pause = span(whole.signal, wait.delayMs, () => undefined);
      await pause.ended.catch(() => whole.signal.throwIfAborted());
    }
  } catch (error) {
    throw aborting?.aborted ? new AbortedError("aborted by the caller", call, { cause: aborting.reason }) : error;
  } finally {
    whole.end();
  }
}

/** A span of time that ends early where the one around it does. What is raced with its end may heed no signal. */
function span(around: AbortSignal | undefined, milliseconds: number, late: () => unknown) {
  const controller = new AbortController();
  const { signal } = controller;
  const onAbort = () => controller.abort(around?.reason);
  const timer = setTimeout(() => controller.abort(late()), Math.min(milliseconds, longestTimeoutMs));
  const end = () => {
    clearTimeout(timer);
    around?.removeEventListener("abort", onAbort);
  };
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => {
      end();
      reject(signal.reason);
    });
  });
  ended.catch(() => {});
  around?.addEventListener("abort", onAbort);
  if (around?.aborted) onAbort();
  return { signal, ended, end };
}

/** `fetch` says "fetch failed" and keeps why in its cause, which may have a code alone. */
function reason(error: unknown): string {
  const { cause = error } = Object(error);
  return String(cause?.message || cause?.code || cause);
}
