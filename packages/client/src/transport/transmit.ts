/** Sends a call: attempts with timeouts and retries, admitted by the limiter, within the deadline. */
import { reasonOf } from "#checks";
import { AbortedError, ChainQueryError, ConnectionError, InvalidArgumentError, TimeoutError } from "../errors.ts";
import { cleanse, redact } from "./key.ts";
import { admission } from "./limiter.ts";
import type { Draft, Received, TransportSettings } from "./settings.ts";
import { backoffMs, longestRetryAfterMs, retryAfterMs, unlimited, within } from "./timing.ts";

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

/** Sends a request, with retries, and resolves to a response whose body has arrived completely. */
export async function transmit(draft: Draft, settings: TransportSettings, call: Call): Promise<Received> {
  const { deadlineMs, signal } = settings;
  const request = await ready(draft, call);
  const late = (limit: "timeoutMs" | "deadlineMs") => () =>
    new TimeoutError(`no complete response from ${request.origin} within the ${limit} of ${settings[limit]}`, call);
  const run = retrying(request, settings, call, late("timeoutMs"));
  try {
    return await (deadlineMs < unlimited ? within(deadlineMs, signal, run, late("deadlineMs")) : run(signal));
  } catch (error) {
    throw signal?.aborted
      ? new AbortedError(`aborted by its signal: ${reasonOf(signal.reason)}`, call, { cause: signal.reason })
      : error;
  }
}

/** Attempts of one call: the first as the limiter allows, the others after their waits. The deadline starts now. */
function retrying(request: Ready, settings: TransportSettings, call: Call, late: () => TimeoutError) {
  const { limiter, timeoutMs, emit } = settings;
  const deadline = performance.now() + settings.deadlineMs;
  let retries = 0;
  let hasBegun: boolean;

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
    // Frees the connection.
    response.body?.cancel().catch(() => {});
    return { status, delayMs };
  }

  /** The wait after a failed connection that may be retried. */
  function waitAfterError(thrown: unknown, around: AbortSignal | undefined): Wait {
    const error = thrown instanceof ChainQueryError ? thrown : broken(thrown, hasBegun, request, call);
    const delayMs = backoffMs(settings, retries);
    if (error instanceof ConnectionError && !around?.aborted && mayRetry(delayMs)) return { error, delayMs };
    throw error;
  }

  return async (around?: AbortSignal): Promise<Received> => {
    /** The response is read within the attempt, so that a stalled or broken response is retried. */
    const attempt = async (signal: AbortSignal) => {
      hasBegun = false;
      const response = await sendOnce(request, settings, call, signal);
      hasBegun = true;
      return waitAfter(response) || { response, text: await response.text(), key: request.headers[keyHeader] };
    };
    for (; ; retries++) {
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

const keyHeader = "x-api-key";

/** A request whose body is text, because a retry needs it again. */
interface Ready {
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly method: string;
  /** Names are in small letters. A plain object is faster than Headers. */
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** The argument of fetch: a real Request has more members than the above. */
  readonly input: Request | string;
}

async function ready(draft: Draft, call: Call): Promise<Ready> {
  const { url, method } = draft;
  const isReal = draft instanceof Request;
  const headers = Object.fromEntries(draft.headers as unknown as Iterable<[string, string]>);
  try {
    const body = isReal ? (method === "POST" ? await draft.text() : undefined) : draft.body;
    return { url, origin: url.split("/", 3).join("/"), method, headers, body, input: isReal ? draft : url };
  } catch (cause) {
    throw new InvalidArgumentError("middleware must read a clone of the request", call, { cause });
  }
}

/** Sends the request with its key, and resolves to a response whose body is still to come. */
async function sendOnce(
  { url, origin, method, headers, body, input }: Ready,
  { key, fetch, emit }: TransportSettings,
  call: Call,
  signal: AbortSignal,
): Promise<Response> {
  const apiKey = await key(call.operation);
  signal.throwIfAborted();
  if (apiKey !== undefined) headers[keyHeader] = apiKey;
  call.attempts++;
  emit?.("onRequest", { call, method, url: origin + redact(url.slice(origin.length).replace(/\?.*/, ""), headers[keyHeader]) });
  // A followed redirect could send the key to another origin and makes a POST a GET. workerd does not support `redirect: "error"`.
  const init: RequestInit = { headers, signal, redirect: "manual", ...(body !== undefined && { method, body }) };
  const began = performance.now();
  const response = await (fetch ? fetch(new Request(input, init)) : globalThis.fetch(input, init));
  signal.throwIfAborted();
  emit?.("onResponse", { call, status: response.status, durationMs: performance.now() - began });
  return response;
}

function broken(thrown: unknown, hasBegun: boolean, request: Ready, call: Call): ConnectionError {
  const cause = cleanse(thrown, request.headers[keyHeader]);
  const what = hasBegun ? "no complete response from" : "could not reach";
  return new ConnectionError(`${what} ${request.origin}: ${reasonOf(cause)}`, call, { cause });
}
