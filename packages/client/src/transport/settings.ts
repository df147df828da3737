import type { Emit } from "../hooks.ts";
import type { Retry } from "./timing.ts";

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

/**
 * At most `requests` starts in any window of `perMs` milliseconds, and `maxConcurrency` at once.
 *
 * @example
 * ```ts
 * const rateLimit: RateLimit = { requests: 10, perMs: 1_000, maxConcurrency: 4 };
 * const chain = createClient({ baseUrl, apiKey, rateLimit });
 * ```
 */
export interface RateLimit {
  /** Requests that may start in any window of `perMs` milliseconds. */
  requests: number;
  /** The length of the window, in milliseconds. */
  perMs: number;
  /** Requests at the same time at most. No bound by default. */
  maxConcurrency?: number;
}

/**
 * Admits requests. Several clients may share one.
 *
 * @example
 * ```ts
 * const release = await limiter.acquire(signal);
 * try {
 *   await fetch(url, { signal });
 * } finally {
 *   release();
 * }
 * ```
 */
export interface Limiter {
  /** Waits for a slot and resolves to the function that releases it; call it once. Rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /**
   * Optional: takes a slot that is free now and returns the function that releases it. If none is free, returns how many milliseconds a
   * call is going to wait in `acquire`, about.
   */
  tryAcquire?(): (() => void) | number;
  /** Admits nothing for the given milliseconds, for example after a 429. */
  pause(milliseconds: number): void;
}

/** How a call is sent. */
export interface TransportSettings extends Retry {
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  readonly fetch?: Fetch | undefined;
  readonly limiter: Limiter | undefined;
  /** The option, from which the limiter was made. */
  readonly rateLimit?: unknown;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly emit: Emit | undefined;
  /** The signal of the caller. */
  readonly signal?: AbortSignal | undefined;
}

/** A request to send. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** The request of `client.raw`, which may have more members, such as `credentials`. */
  readonly request?: Request;
}

/** A response whose body has arrived completely, and its request, with the key that was sent. */
export interface ReceivedResponse {
  /** What openapi-fetch sees: a response without a body, since the transport has read it. */
  readonly ok: true;
  readonly status: 204;
  readonly headers: ReadonlyMap<string, string>;
  readonly response: Response;
  readonly text: string;
  readonly outgoing: OutgoingRequest;
}
