/** Options of a client and of a call. */
import type { Hooks } from "./hooks.ts";
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
  /** Absolute URL of the deployment: scheme, host, port and any path before `/api/v2`. A final `/api/v2` or `/jsonRPC` is removed. */
  baseUrl: string;
  /** Sent as `X-API-Key`; a function is called before each attempt. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Milliseconds for one attempt, body included. 30,000 by default. */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds for a whole call including retries and the waits for the limiter. 120,000 by default, so that a call ends although
   * many others wait before it: three attempts of the default `timeoutMs` with their waits fit into it. Infinity for no limit.
   */
  deadlineMs?: number | undefined;
  /** Retries of temporary failures; `false` disables them. */
  retry?: Partial<Retry> | false | undefined;
  /**
   * Default: one request per second without a key, the documented limit; no limit with a key, or for localhost, 127.0.0.0/8 and [::1]
   * until a service there answers with 429.
   * `false` also disables the pause after a 429.
   */
  rateLimit?: RateLimit | Limiter | false | undefined;
  /** Functions to call on each event, such as `loggingHooks(console)`; an array for several. */
  hooks?: Hooks | readonly Hooks[] | undefined;
  /** Checks each success against the contract; see `@chain-query/client/validate`. */
  validate?: Validate | undefined;
  /** Replaces `globalThis.fetch`, which is otherwise looked up at each attempt. */
  fetch?: Fetch | undefined;
  /** Additional headers of each request. A browser sends a CORS preflight before a request that has any, or a key. */
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
  /** Aborts the call in any phase, with an AbortedError. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, body included. */
  timeoutMs?: number | undefined;
  /** Milliseconds for the whole call including waits and retries. */
  deadlineMs?: number | undefined;
  /** Attempts after the first. */
  maxRetries?: number | undefined;
  /** Sent in addition to those of the client. */
  headers?: Record<string, string> | undefined;
}

/**
 * Checks a success against the contract and returns one line for each problem. `@chain-query/client/validate` exports one.
 *
 * @example
 * ```ts
 * const blocksOnly: Validate = (operation, envelope) => (operation === "lookupBlock" ? validate(operation, envelope) : []);
 * const chain = createClient({ baseUrl, validate: blocksOnly });
 * ```
 */
export type Validate = (operation: string, envelope: unknown) => readonly string[];
