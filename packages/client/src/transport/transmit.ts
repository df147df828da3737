/** Sends a call: attempts with timeouts and retries, admitted by the limiter, within the deadline. */
import { AbortedError, ChainQueryError, ConnectionError, InvalidArgumentError, TimeoutError } from "../errors.ts";
import { complete, discard, refuseUnusable } from "./answer.ts";
import { admission } from "./limiter.ts";
import { cleanse } from "./redaction.ts";
import { backoffMs, longestRetryAfterMs, retryAfterMs } from "./retry.ts";
import type { Draft, TransportSettings } from "./settings.ts";
import { unlimited, within } from "./within.ts";

/** The wait before the next attempt, and why there is one. */
interface Wait {
  readonly delayMs: number;
  readonly status?: number;
  readonly error?: ChainQueryError;
}

interface Call {
  readonly operation: string;
  attempts: number;
}

/** Sends a request, with retries, and resolves to an answer whose body has arrived completely; it can still be read as text. */
export async function transmit(request: Draft, settings: TransportSettings, call: Call): Promise<Response> {
  const { deadlineMs, signal } = settings;
  const run = retrying(request, settings, call);
  try {
    return await (deadlineMs < unlimited
      ? within(deadlineMs, signal, run, () => new TimeoutError(`no answer within the deadline of ${deadlineMs} ms`, call))
      : run(signal));
  } catch (error) {
    throw signal?.aborted ? new AbortedError("aborted by the caller", call, { cause: signal.reason }) : error;
  }
}

/** Attempts of one call: the first as the limiter allows, the others after their waits. The deadline starts now. */
function retrying(request: Draft, settings: TransportSettings, call: Call) {
  const { limiter, timeoutMs, emit } = settings;
  const deadline = performance.now() + settings.deadlineMs;
  let retries = 0;

  const mayRetry = (delayMs: number) =>
    retries < settings.maxRetries && delayMs <= longestRetryAfterMs && delayMs < deadline - performance.now();

  /** The wait after a temporary status that may be retried. A 429 pauses all calls of the limiter. */
  function waitAfter(response: Response): Wait | undefined {
    const { status, headers } = response;
    const isTemporary = settings.statuses.includes(status);
    if (!isTemporary && status !== 429) return undefined;
    const delayMs = retryAfterMs(headers) ?? backoffMs(settings, retries);
    if (status === 429) limiter?.pause(Math.min(delayMs, longestRetryAfterMs));
    if (!isTemporary || !mayRetry(delayMs)) return undefined;
    discard(response);
    return { status, delayMs };
  }

  /** The wait after a failed connection that may be retried. */
  function waitAfterError(thrown: unknown, around: AbortSignal | undefined): Wait {
    const error = thrown instanceof ChainQueryError ? thrown : broken(thrown, request, call);
    const delayMs = backoffMs(settings, retries);
    if (error instanceof ConnectionError && !around?.aborted && mayRetry(delayMs)) return { error, delayMs };
    throw error;
  }

  return async (around?: AbortSignal): Promise<Response> => {
    const body = await bodyOf(request, call);
    /** The answer is read within the attempt, so that one that stalls or breaks off is retried. */
    const attempt = async (signal: AbortSignal) => {
      const response = await sendOnce(request, body, settings, call, signal);
      return waitAfter(response) || complete(response, request);
    };
    const late = () => new TimeoutError(`no complete answer within ${timeoutMs} ms`, call);
    for (; ; retries++) {
      around?.throwIfAborted();
      const release = limiter && (await admission(limiter, around));
      const outcome = await within(timeoutMs, around, attempt, late)
        .catch((thrown) => waitAfterError(thrown, around))
        .finally(release);
      if (!("delayMs" in outcome)) return outcome;
      emit?.("onRetry", { call, ...outcome });
      await within(outcome.delayMs, around).catch(() => {});
    }
  };
}

/** A body can be read only once, and a retry needs its text. */
async function bodyOf(request: Draft, call: Call): Promise<string | undefined> {
  if (!(request instanceof Request)) return request.body;
  try {
    return request.method === "POST" ? await request.text() : undefined;
  } catch (cause) {
    throw new InvalidArgumentError("middleware has consumed the request's body; it may read a clone", call, { cause });
  }
}

/** Sends the request with its key, and resolves to an answer whose body is still to come. */
async function sendOnce(
  request: Draft,
  body: string | undefined,
  { key, fetch, emit }: TransportSettings,
  call: Call,
  signal: AbortSignal,
): Promise<Response> {
  const { url, method, headers } = request;
  const apiKey = await key(call.operation);
  signal.throwIfAborted();
  if (apiKey !== undefined) headers.set("X-API-Key", apiKey);
  call.attempts++;
  emit?.("onRequest", { call, method, url: url.replace(/\?.*/, "") });
  // A followed redirect would leak the key; workerd does not support `redirect: "error"`.
  const init: RequestInit = { method, headers, body: body ?? null, signal, redirect: "manual" };
  const input = request instanceof Request ? request : url;
  const began = performance.now();
  const response = await (fetch ? fetch(new Request(input, init)) : globalThis.fetch(input, init));
  signal.throwIfAborted();
  emit?.("onResponse", { call, status: response.status, durationMs: performance.now() - began });
  refuseUnusable(response, call, headers.get("X-API-Key"));
  return response;
}

function broken(thrown: unknown, { headers }: Draft, call: Call): ConnectionError {
  const cause = cleanse(thrown, headers.get("X-API-Key"));
  // `fetch` throws "fetch failed" and puts the reason into its cause, which may have only a code.
  const { cause: reason = cause } = Object(cause);
  return new ConnectionError(`no complete answer: ${reason?.message || reason?.code || reason}`, call, { cause });
}
