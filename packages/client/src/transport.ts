/** Sends requests with key, limiter, timeouts and retries, and returns complete answers. */
import { AbortedError, ChainQueryError, ConnectionError, InvalidArgumentError, ParseError, TimeoutError } from "./errors.ts";
import type { Emit } from "./hooks.ts";
import { type Limiter, longestTimeoutMs } from "./limiter.ts";
import { cleanse, redact } from "./redaction.ts";
import { backoffMs, longestRetryAfterMs, type Retry, retryAfterMs } from "./retry.ts";

/**
 * A function like `globalThis.fetch`. The request carries its signal.
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
  readonly key: (operation: string) => string | undefined | Promise<string>;
  readonly fetch?: Fetch | undefined;
  readonly limiter: Limiter | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly emit: Emit | undefined;
  /** The signal of the caller. */
  readonly signal?: AbortSignal | undefined;
}

/** Browsers hide redirects and report status 0. */
const redirects: readonly number[] = [0, 301, 302, 303, 307, 308];

/** A request to send. It is a real Request only for middleware and for callers of `client.raw`. */
export type Draft = Request | { url: string; method: string; headers: Headers; body?: string };

/** Sends a request, with retries, and resolves to an answer whose body has arrived completely; it can still be read as text. */
export async function transmit(
  request: Draft,
  settings: TransportSettings,
  call: { operation: string; attempts: number },
): Promise<Response> {
  const { limiter, timeoutMs, deadlineMs, emit, signal: aborting } = settings;
  const { url, method, headers } = request;
  const deadline = performance.now() + deadlineMs;
  const real = request instanceof Request;
  let body = real ? undefined : request.body;
  let retries = 0;

  async function send(signal: AbortSignal): Promise<Response | { status: number; delayMs: number }> {
    const apiKey = await settings.key(call.operation);
    signal.throwIfAborted();
    if (apiKey !== undefined) headers.set("X-API-Key", apiKey);
    call.attempts++;
    emit?.("onRequest", { call, method, url: url.replace(/\?.*/, "") });
    // A followed redirect would leak the key; workerd does not support `redirect: "error"`.
    const init: RequestInit = { method, headers, body: body ?? null, signal, redirect: "manual" };
    const began = performance.now();
    const response = await (settings.fetch || real
      ? (settings.fetch ?? globalThis.fetch)(new Request(real ? request : url, init))
      : globalThis.fetch(url, init));
    signal.throwIfAborted();
    const { status } = response;
    emit?.("onResponse", { call, status, durationMs: performance.now() - began });
    const discard = () => response.body?.cancel().catch(() => {});
    const requestedMs = () => retryAfterMs(response.headers);
    // A server may send any status, but `new Response()` accepts 200 to 599 only.
    if (redirects.includes(status) || status < 200 || status > 599) {
      discard();
      const location = redact(`${response.headers.get("location")}`.replace(/[?#].*/, ""), headers.get("X-API-Key"));
      const why = status > 399 || (status && status < 200) ? "not a valid status" : `a redirect, not followed: ${location}`;
      throw new ParseError(`HTTP ${status}, ${why}`, call, { status, retryAfterMs: requestedMs() });
    }
    const isTemporary = settings.statuses.includes(status);
    if (isTemporary || status === 429) {
      const delayMs = requestedMs() ?? backoffMs(settings, retries);
      if (status === 429) limiter?.pause(Math.min(delayMs, longestRetryAfterMs));
      if (isTemporary && mayRetry(delayMs)) {
        discard();
        return { status, delayMs };
      }
    }
    // The body is read within the attempt, so that one that stalls or breaks off is retried.
    const text = await response.text();
    if (!real) return Object.assign(response, { text: async () => text, json: async () => JSON.parse(text) });
    return new Response(text || null, response);
  }

  const mayRetry = (delayMs: number) =>
    retries < settings.maxRetries && delayMs <= longestRetryAfterMs && delayMs < deadline - performance.now();

  /** Waits for the limiter no longer than the call lasts, even if the limiter ignores its signal. */
  async function admission(around?: AbortSignal): Promise<(() => void) | undefined> {
    if (!limiter) return undefined;
    const granted = limiter.acquire(around);
    if (!around) return granted;
    return within(
      Number.POSITIVE_INFINITY,
      () => undefined,
      around,
      () => granted,
    ).catch((why) => {
      granted.then((release) => release()).catch(() => {});
      throw why;
    });
  }

  async function sendWithRetries(around?: AbortSignal): Promise<Response> {
    try {
      // A body can be read only once, and a retry needs its text.
      if (real && method === "POST") body = await request.text();
    } catch (cause) {
      throw new InvalidArgumentError("middleware has consumed the request's body; it may read a clone", call, { cause });
    }
    for (; ; retries++) {
      around?.throwIfAborted();
      const release = await admission(around);
      let wait: { delayMs: number; status?: number; error?: ChainQueryError };
      try {
        const late = () => new TimeoutError(`no complete answer within ${timeoutMs} ms`, call);
        const outcome = await within(timeoutMs, late, around, send);
        if (!("delayMs" in outcome)) return outcome;
        wait = outcome;
      } catch (cause) {
        const error = cause instanceof ChainQueryError ? cause : broken(cause);
        const delayMs = backoffMs(settings, retries);
        if (!(error instanceof ConnectionError) || around?.aborted || !mayRetry(delayMs)) throw error;
        wait = { error, delayMs };
      } finally {
        release?.();
      }
      emit?.("onRetry", { call, ...wait });
      await within(wait.delayMs, () => undefined, around).catch(() => around?.throwIfAborted());
    }
  }

  function broken(thrown: unknown): ConnectionError {
    const cause = cleanse(thrown, headers.get("X-API-Key"));
    return new ConnectionError(`no complete answer: ${reason(cause)}`, call, { cause });
  }

  try {
    const late = () => new TimeoutError(`no answer within the deadline of ${deadlineMs} ms`, call);
    return await (deadlineMs < Number.POSITIVE_INFINITY
      ? within(deadlineMs, late, aborting, sendWithRetries)
      : sendWithRetries(aborting));
  } catch (error) {
    throw aborting?.aborted ? new AbortedError("aborted by the caller", call, { cause: aborting.reason }) : error;
  }
}

/**
 * Runs a task, or just waits, until the time is over or the signal aborts. A task that ignores its signal does not delay the end.
 */
function within<T>(
  milliseconds: number,
  late: () => unknown,
  around: AbortSignal | undefined,
  task?: (signal: AbortSignal) => Promise<T>,
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
      milliseconds < Number.POSITIVE_INFINITY
        ? setTimeout(() => stop(late()), Math.min(milliseconds, longestTimeoutMs))
        : undefined;
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

/** `fetch` throws "fetch failed" and puts the reason into its cause, which may have only a code. */
function reason(error: unknown): string {
  const { cause = error } = Object(error);
  return String(cause?.message || cause?.code || cause);
}
