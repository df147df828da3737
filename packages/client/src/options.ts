/** Options of a client and of a call. */

import type { Validate } from "./calls/envelope.ts";
import type { Hooks } from "./hooks.ts";
import type { Middleware } from "./transport/openapi-fetch.ts";
import type { Fetch, Limiter, RateLimit } from "./transport/settings.ts";
import type { Retry } from "./transport/timing.ts";

/**
 * Options of a client.
 *
 * @example
 * ```ts
 * const options: ClientOptions = { baseUrl: "https://node.example", apiKey, timeoutMs: 10_000, retry: { maxRetries: 5 } };
 * const chain = createClient(options);
 * ```
 */
export interface ClientOptions {
  /**
   * Absolute URL of the deployment: scheme, host, port and any path before `/api/v2`. A final `/api/v2` or `/jsonRPC` is removed.
   *
   * @example { baseUrl: "https://node.example" }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  baseUrl: string;
  /**
   * Sent as `X-API-Key`; a function is called before each attempt.
   *
   * @example { baseUrl, apiKey: async () => (await secrets.read("chain")).key }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * Milliseconds for one attempt, body included. 30,000 by default.
   *
   * @example { baseUrl, timeoutMs: 10_000 }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds for a whole call including retries and the waits for the limiter. 120,000 by default, so that a call ends although
   * many others wait before it: three attempts of the default `timeoutMs` with their waits fit into it. Infinity for no limit.
   *
   * @example { baseUrl, deadlineMs: 60_000 }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  deadlineMs?: number | undefined;
  /**
   * Retries of temporary failures; `false` disables them.
   *
   * @example { baseUrl, retry: { maxRetries: 5, maxDelayMs: 2_000 } }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  retry?: Partial<Retry> | false | undefined;
  /**
   * Default: one request per second without a key, the documented limit; no limit with a key, or for localhost, 127.0.0.0/8 and [::1]
   * until a service there answers with 429.
   * `false` also disables the pause after a 429.
   *
   * @example { baseUrl, rateLimit: { requests: 10, perMs: 1_000, maxConcurrency: 4 } }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  rateLimit?: RateLimit | Limiter | false | undefined;
  /**
   * Middleware of openapi-fetch. It runs once for each call, not for each retry.
   *
   * @example { baseUrl, middleware: [{ onRequest: ({ request }) => request.headers.set("x-trace", id) }] }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  middleware?: readonly Middleware[] | undefined;
  /**
   * Functions to call on each event, such as `loggingHooks(console)`; an array for several.
   *
   * @example { baseUrl, hooks: loggingHooks(console) }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  hooks?: Hooks | readonly Hooks[] | undefined;
  /**
   * Checks each success against the contract; see `@chain-query/client/validate`.
   *
   * @example { baseUrl, validate } // import { validate } from "@chain-query/client/validate"
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  validate?: Validate | undefined;
  /**
   * Replaces `globalThis.fetch`, which is otherwise looked up at each attempt.
   *
   * @example { baseUrl, fetch: (request) => fetch(request, { cache: "no-store" }) }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  fetch?: Fetch | undefined;
  /**
   * Additional headers of each request. Any header but `X-API-Key` makes a browser send a CORS preflight first.
   *
   * @example { baseUrl, headers: { "x-team": "wallet" } }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  headers?: Record<string, string> | undefined;
}

/**
 * Options of one call, always its last argument. They override those of the client; headers are added.
 *
 * @example
 * ```ts
 * const options: CallOptions = { timeoutMs: 5_000, deadlineMs: 20_000, signal: controller.signal };
 * await chain.getAddressInformation({ address }, options);
 * ```
 */
export interface CallOptions {
  /**
   * Aborts the call in any phase, with an AbortedError.
   *
   * @example { signal: AbortSignal.timeout(5_000) }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds for one attempt, body included.
   *
   * @example { timeoutMs: 5_000 }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds for the whole call including waits and retries.
   *
   * @example { deadlineMs: 20_000 }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  deadlineMs?: number | undefined;
  /**
   * Attempts after the first.
   *
   * @example { maxRetries: 0 }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  maxRetries?: number | undefined;
  /**
   * Sent in addition to those of the client.
   *
   * @example { headers: { "x-request": id } }
   * @see https://chain-query.github.io/chain-query/client/options/
   */
  headers?: Record<string, string> | undefined;
}
