/** What lies below openapi-fetch: key, limiter, timeouts, retries. A request goes in, a whole answer comes out. */
import { AbortedError, ChainQueryError, ConnectionError, TimeoutError } from "./errors.ts";
import type { Emit } from "./hooks.ts";
import { type Limiter, longestTimeoutMs } from "./limiter.ts";
import { backoffMs, longestRetryAfterMs, type Retry, retryAfterMs } from "./retry.ts";

/** What `fetch` does; `globalThis.fetch` is one. */
export type Fetch = (request: Request, init: RequestInit) => Promise<Response>;

/** How a call is sent. */
export interface TransportSettings {
  readonly key: () => Promise<string | undefined>;
  readonly fetch: Fetch | undefined;
  readonly limiter: Limiter | undefined;
  readonly retry: Retry;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly emit: Emit;
}

/** Sends a request as often as it takes and resolves to an answer whose body has wholly arrived. */
export async function transmit(
  request: Request,
  { key, fetch, limiter, retry, timeoutMs, deadlineMs, emit }: TransportSettings,
  call: { operation: string; attempts: number },
  signal: AbortSignal | undefined,
  body?: string,
): Promise<Response> {
  const started = performance.now();
  // A request can be read once; without its text it could not be sent again.
  if (request.body) body ??= await request.clone().text();
  const whole = limit(
    signal,
    deadlineMs,
    () => new AbortedError("aborted by the caller", call, { cause: signal?.reason }),
    () => new TimeoutError(`no answer within the deadline of ${deadlineMs} ms`, call),
  );

  async function attempt(): Promise<Response | { status: number; delayMs: number }> {
    const release = await limiter?.acquire(whole.signal);
    const within = limit(
      whole.signal,
      timeoutMs,
      () => whole.signal.reason,
      () => new TimeoutError(`no whole answer within ${timeoutMs} ms`, call),
    );
    try {
      const apiKey = await within.race(key());
      if (apiKey !== undefined) request.headers.set("X-API-Key", apiKey);
      call.attempts++;
      emit("onRequest", { call });
      const sent = performance.now();
      // A fetch of the caller's own may not heed the signal, so the wait is raced as well. A redirect would carry the key along.
      const sending = (fetch ?? globalThis.fetch)(request, { signal: within.signal, redirect: "error" });
      const response = await within.race(sending);
      const { status, statusText, headers } = response;
      emit("onResponse", { call, status, durationMs: performance.now() - sent });
      const delayMs = retryAfterMs(headers) ?? backoffMs(retry, call.attempts - 1);
      if (status === 429) limiter?.pause(Math.min(delayMs, longestRetryAfterMs));
      if (retry.statuses.includes(status) && mayRetry(delayMs)) {
        response.body?.cancel().catch(() => {});
        return { status, delayMs };
      }
      // Read here, so that a body that stalls or breaks off is one more failed attempt.
      const text = await within.race(response.text());
      return new Response(/^(204|205|304)$/.test(`${status}`) ? null : text, { status, statusText, headers });
    } catch (error) {
      throw error instanceof ChainQueryError ? error : new ConnectionError(reason(error), call, { cause: error });
    } finally {
      within.end();
      release?.();
    }
  }

  function mayRetry(delayMs: number): boolean {
    const left = deadlineMs === undefined ? Number.POSITIVE_INFINITY : started + deadlineMs - performance.now();
    return call.attempts <= retry.maxRetries && delayMs <= longestRetryAfterMs && delayMs < left;
  }

  try {
    for (;;) {
      let wait: { status?: number; error?: ChainQueryError; delayMs: number };
      try {
        const answer = await attempt();
        if (answer instanceof Response) return answer;
        wait = answer;
      } catch (error) {
        const delayMs = backoffMs(retry, call.attempts - 1);
        if (!(error instanceof ConnectionError) || whole.signal.aborted || !mayRetry(delayMs)) throw error;
        wait = { error, delayMs };
      }
      emit("onRetry", { call, ...wait });
      let waking: ReturnType<typeof setTimeout> | undefined;
      const waited = new Promise<void>((resolve) => {
        waking = setTimeout(resolve, wait.delayMs);
      });
      await whole.race(waited).finally(() => clearTimeout(waking));
      if (body !== undefined) request = new Request(request, { body });
    }
  } finally {
    whole.end();
  }
}

/** A span of time that ends early where the one around it does. */
function limit(around: AbortSignal | undefined, milliseconds: number | undefined, aborted: () => unknown, late: () => unknown) {
  const controller = new AbortController();
  const { signal } = controller;
  let fail = (_reason: unknown): void => {};
  const end = (reason: unknown) => {
    controller.abort(reason);
    fail(reason);
  };
  const onAbort = () => end(aborted());
  const timer = milliseconds && setTimeout(() => end(late()), Math.min(milliseconds, longestTimeoutMs));
  if (around?.aborted) onAbort();
  around?.addEventListener("abort", onAbort);
  return {
    signal,
    race: <Value>(work: Promise<Value>): Promise<Value> =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        fail = reject;
        work.then(resolve, reject);
      }),
    end() {
      clearTimeout(timer);
      around?.removeEventListener("abort", onAbort);
    },
  };
}

/** `fetch` says "fetch failed" and keeps why in its cause. */
function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return `no whole answer: ${cause instanceof Error ? cause.message : String(cause)}${code}`;
}
