/** What lies below openapi-fetch: key, limiter, timeouts, retries. A request goes in, a whole answer comes out. */
import { AbortedError, ChainQueryError, ConnectionError, InvalidArgumentError, ParseError, TimeoutError } from "./errors.ts";
import type { Emit } from "./hooks.ts";
import { type Limiter, longestTimeoutMs } from "./limiter.ts";
import { cleanse, redact } from "./redaction.ts";
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
  readonly key: (operation: string) => string | undefined | Promise<string>;
  readonly fetch?: Fetch | undefined;
  readonly limiter: Limiter | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly emit: Emit | undefined;
  /** The caller's own. */
  readonly signal?: AbortSignal | undefined;
}

/** A browser shows nothing of a redirect, and calls its status 0. */
const redirects: readonly number[] = [0, 301, 302, 303, 307, 308];

/** What is to be sent. A real Request only for those who may look at it: middleware, and callers of openapi-fetch itself. */
export type Draft = Request | { url: string; method: string; headers: Headers; body?: string };

/** Sends a request as often as it takes and resolves to an answer whose body has wholly arrived; it can still be read as text. */
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
    // A redirect would carry the key along; workerd knows no `redirect: "error"`.
    const init: RequestInit = { method, headers, body: body ?? null, signal, redirect: "manual" };
    const began = performance.now();
    const response = await (settings.fetch || real
      ? (settings.fetch ?? globalThis.fetch)(new Request(real ? request : url, init))
      : globalThis.fetch(url, init));
    signal.throwIfAborted();
    const { status } = response;
    emit?.("onResponse", { call, status, durationMs: performance.now() - began });
    const discard = () => response.body?.cancel().catch(() => {});
    const asked = () => retryAfterMs(response.headers);
    // A server may answer with any number, but no Response can be made of all.
    if (redirects.includes(status) || status < 200 || status > 599) {
      discard();
      const location = redact(`${response.headers.get("location")}`.replace(/[?#].*/, ""), headers.get("X-API-Key"));
      const why =
        status > 399 || (status && status < 200) ? "no status of an answer" : `a redirect, which is not followed: ${location}`;
      throw new ParseError(`HTTP ${status}, ${why}`, call, { status, retryAfterMs: asked() });
    }
    const passing = settings.statuses.includes(status);
    if (passing || status === 429) {
      const delayMs = asked() ?? backoffMs(settings, retries);
      if (status === 429) limiter?.pause(Math.min(delayMs, longestRetryAfterMs));
      if (passing && mayRetry(delayMs)) {
        discard();
        return { status, delayMs };
      }
    }
    // Read here, so that a body that stalls or breaks off is one more failed attempt.
    const text = await response.text();
    if (!real) return Object.assign(response, { text: async () => text, json: async () => JSON.parse(text) });
    return new Response(text || null, response);
  }

  const mayRetry = (delayMs: number) =>
    retries < settings.maxRetries && delayMs <= longestRetryAfterMs && delayMs < deadline - performance.now();

  /** Waits for a place no longer than the call lasts, though the limiter may heed no signal. */
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

  async function persist(around?: AbortSignal): Promise<Response> {
    try {
      // A body can be read once; without its text it could not be sent again.
      if (real && method === "POST") body = await request.text();
    } catch (cause) {
      throw new InvalidArgumentError("middleware has consumed the request's body; it may read a clone", call, { cause });
    }
    for (; ; retries++) {
      around?.throwIfAborted();
      const release = await admission(around);
      let wait: { delayMs: number; status?: number; error?: ChainQueryError };
      try {
        const late = () => new TimeoutError(`no whole answer within ${timeoutMs} ms`, call);
        const came = await within(timeoutMs, late, around, send);
        if (!("delayMs" in came)) return came;
        wait = came;
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
    return new ConnectionError(`no whole answer: ${reason(cause)}`, call, { cause });
  }

  try {
    const late = () => new TimeoutError(`no answer within the deadline of ${deadlineMs} ms`, call);
    return await (deadlineMs < Number.POSITIVE_INFINITY ? within(deadlineMs, late, aborting, persist) : persist(aborting));
  } catch (error) {
    throw aborting?.aborted ? new AbortedError("aborted by the caller", call, { cause: aborting.reason }) : error;
  }
}

/** Does a task, or nothing, for so long at most, or until a signal ends it. A task that heeds no signal is not waited for. */
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

/** `fetch` says "fetch failed" and keeps why in its cause, which may have a code alone. */
function reason(error: unknown): string {
  const { cause = error } = Object(error);
  return String(cause?.message || cause?.code || cause);
}
