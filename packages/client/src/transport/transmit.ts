/** Sends a call: attempts with timeouts and retries, admitted by the limiter, within the deadline. */
import { describeKey, noticeWait, reasonOf } from "#diagnostics";
import { throwInvalid } from "../diagnostics/rules.ts";
import { AbortedError, ChainQueryError, ConnectionError, TimeoutError } from "../errors.ts";
import { cleanse, isKey, keyHeader, shownUrl } from "./key.ts";
import type { OutgoingRequest, ReceivedResponse, TransportSettings } from "./settings.ts";
import {
  abortReason,
  backoffMs,
  longestRetryAfterMs,
  now,
  retryAfterMs,
  throwIfAborted,
  unlimited,
  withTimeout,
} from "./timing.ts";

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

const originOf = ({ url }: OutgoingRequest) => url.replace(/([^/:])\/.*/, "$1");

/** Sends a request, with retries, and resolves to a response whose body has arrived completely. The deadline starts now. */
export async function transmit(outgoing: OutgoingRequest, settings: TransportSettings, call: Call): Promise<ReceivedResponse> {
  const { url, method, headers, body, request } = outgoing;
  const { apiKey, fetch, limiter, emit, signal } = settings;
  const deadline = now() + settings.deadlineMs;
  let retries = 0;
  let hasBegun = false;

  /** Sends the request with its key. The response is read within the attempt, so that a stalled or broken response is retried. */
  const attempt = async (signal: AbortSignal): Promise<ReceivedResponse | Wait> => {
    hasBegun = false;
    if (apiKey !== undefined) {
      const key = await readKey(apiKey, call.operation);
      throwIfAborted(signal);
      headers.set(keyHeader, key);
    }
    call.attempts++;
    emit?.("onRequest", { call, method, url: shownUrl(outgoing) });
    const began = now();
    // A followed redirect could send the key to another origin and makes a POST a GET. workerd does not support `redirect: "error"`.
    const init: RequestInit = { method, headers, signal, redirect: "manual", body: body || null };
    const response = await (fetch ? fetch(new Request(request ?? url, init)) : globalThis.fetch(request ?? url, init));
    throwIfAborted(signal);
    const { status } = response;
    emit?.("onResponse", { call, status, durationMs: now() - began });
    hasBegun = true;
    if (status !== 200) {
      // The jitter also keeps callers apart that were all told the same time.
      const delayMs = (retryAfterMs(response.headers) ?? 0) + backoffMs(settings, retries);
      // A 429 pauses all calls of the limiter.
      if (status === 429) limiter?.pause(Math.min(delayMs, longestRetryAfterMs));
      if (settings.statuses.includes(status) && mayRetry(delayMs)) {
        // Frees the connection. The body of node-fetch is not a web stream.
        response.body?.cancel?.().catch(() => {});
        return { status, delayMs };
      }
    }
    return { ok: true, status: 204, headers: new Map(), response, text: await response.text(), outgoing };
  };

  const mayRetry = (delayMs: number) =>
    retries < settings.maxRetries && delayMs <= longestRetryAfterMs && delayMs < deadline - now();

  /** Runs a step until the signal of the caller aborts, or the time of the step or of the call is over. */
  const bounded = <T>(limitMs: number, step: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const leftMs = deadline - now();
    const isLast = leftMs <= limitMs;
    return withTimeout(isLast ? leftMs : limitMs, signal, step, () => {
      const limit = isLast ? "deadlineMs" : "timeoutMs";
      // No attempt follows the deadline, even if timers fire a little early.
      if (isLast) retries = unlimited;
      return new TimeoutError(
        `no complete response from ${originOf(outgoing)} within the ${limit} of ${settings[limit]}`,
        call,
      );
    });
  };

  try {
    for (; ; retries++) {
      throwIfAborted(signal);
      let slot = limiter?.tryAcquire?.();
      if (limiter && typeof slot !== "function") {
        emit?.("onWait", { call, waitMs: slot });
        noticeWait(settings, outgoing, call, slot);
        slot = await bounded(unlimited, async (signal) => {
          const release = await limiter.acquire(signal);
          // The limiter may have ignored its signal.
          if (signal.aborted) release();
          return release;
        });
      }
      let outcome: ReceivedResponse | Wait;
      try {
        outcome = await bounded(settings.timeoutMs, attempt);
      } catch (thrown) {
        let error = thrown as ChainQueryError;
        if (!(thrown instanceof ChainQueryError)) {
          const cause = cleanse(thrown, headers.get(keyHeader));
          const what = hasBegun ? "no complete response from" : "could not reach";
          error = new ConnectionError(`${what} ${originOf(outgoing)}: ${reasonOf(cause)}`, call, { cause });
        }
        const delayMs = backoffMs(settings, retries);
        if (!(error instanceof ConnectionError) || signal?.aborted || !mayRetry(delayMs)) throw error;
        outcome = { error, delayMs };
      } finally {
        (slot as (() => void) | undefined)?.();
      }
      if ("text" in outcome) return outcome;
      emit?.("onRetry", { call, ...outcome });
      await withTimeout(outcome.delayMs, signal).catch(() => {});
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    const cause = abortReason(signal);
    throw new AbortedError(`aborted by its signal: ${reasonOf(cause)}`, call, { cause });
  }
}

async function readKey(apiKey: string | (() => string | Promise<string>), operation: string): Promise<string> {
  let key: unknown;
  let cause: unknown;
  try {
    key = typeof apiKey === "function" ? await apiKey() : apiKey;
    if (isKey(key)) return key;
  } catch (thrown) {
    cause = thrown;
  }
  return throwInvalid(operation, describeKey(key, cause), cause);
}
