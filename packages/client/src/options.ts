/** Options of a client and of a call, checked before anything is sent. */

import type { Validate } from "./calls/envelope.ts";
import type { Hooks, Logger } from "./hooks.ts";
import { check, type Kind } from "./operations/check.ts";
import type { Limiter, RateLimit } from "./transport/limiter.ts";
import type { Middleware } from "./transport/openapi-fetch.ts";
import type { Retry } from "./transport/retry.ts";
import type { Fetch } from "./transport/settings.ts";
import { unlimited } from "./transport/within.ts";

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
  /** Absolute URL of the deployment: scheme, host, port and any path before `/api/v2`. */
  baseUrl: string;
  /** Sent as `X-API-Key`; a function is called before each attempt. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Milliseconds for one attempt, body included. 30,000 by default. */
  timeoutMs?: number | undefined;
  /** Milliseconds for a whole call including waits and retries. No limit by default. */
  deadlineMs?: number | undefined;
  /** Retries of temporary failures; `false` disables them. */
  retry?: Partial<Retry> | false | undefined;
  /** Default: one request per second without a key, the documented limit, and no limit with a key. `false` also disables the pause after a 429. */
  rateLimit?: RateLimit | Limiter | false | undefined;
  /** Middleware of openapi-fetch. It runs once for each call, not for each retry. */
  middleware?: readonly Middleware[] | undefined;
  /** Functions to call on each event. */
  hooks?: Hooks | undefined;
  /** Receives log lines; `console` is one. */
  logger?: Logger | undefined;
  /** Checks each success against the contract; see `@chain-query/client/validate`. */
  validate?: Validate | undefined;
  /** Replaces `globalThis.fetch`, which is otherwise looked up at each attempt. */
  fetch?: Fetch | undefined;
  /** Additional headers of each request. Any header but `X-API-Key` makes a browser send a CORS preflight first. */
  headers?: Record<string, string> | undefined;
  /** Whether concurrent identical calls share one request: GETs and POSTs without input, called without options. */
  dedupe?: boolean | undefined;
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

const retryKinds: Record<keyof Retry, Kind> = {
  maxRetries: "count",
  baseDelayMs: "count",
  maxDelayMs: "count",
  statuses: "integers",
};

const hookKinds: Record<keyof Hooks, Kind> = {
  onRequest: "function",
  onResponse: "function",
  onRetry: "function",
  onSettled: "function",
};

const callKinds: Record<keyof CallOptions, Kind> = {
  signal: "signal",
  timeoutMs: "positive",
  deadlineMs: "positive",
  maxRetries: "count",
  headers: "headers",
};

const clientKinds: Record<keyof ClientOptions, Kind> = {
  baseUrl: "url",
  apiKey: "key",
  timeoutMs: "positive",
  deadlineMs: "positive",
  retry: "switch",
  rateLimit: "switch",
  middleware: "objects",
  hooks: "object",
  logger: "switch",
  validate: "function",
  fetch: "function",
  headers: "headers",
  dedupe: "boolean",
};

/** Options of a client with defaults filled in. */
export type Settings = ClientOptions & Retry & { timeoutMs: number; deadlineMs: number };

const defaults: Retry & { timeoutMs: number; deadlineMs: number } = {
  timeoutMs: 30_000,
  deadlineMs: unlimited,
  maxRetries: 2,
  baseDelayMs: 500,
  maxDelayMs: 8_000,
  statuses: [408, 425, 429, 502, 503, 504],
};

/** Throws an `InvalidArgumentError` for an option that is unknown or wrong. */
export function checkClientOptions(options: ClientOptions): Settings {
  const checked = check("createClient", options, clientKinds, ["baseUrl"]);
  // Hooks may be an object with other members of its own.
  const hooks = Object.entries(options.hooks ?? {}).filter(([name]) => /^on[A-Z]/.test(name));
  check("createClient: hooks", Object.fromEntries(hooks), hookKinds);
  return { ...defaults, ...checked, ...retryOf(options) } as Settings;
}

function retryOf({ retry }: Partial<ClientOptions>): Partial<Retry> {
  return retry === false ? { maxRetries: 0 } : check("createClient: retry", retry, retryKinds);
}

/** Merges changed options into those of a client; undefined changes nothing. */
export function mergeOptions(options: ClientOptions, changed: Partial<ClientOptions>): ClientOptions {
  const given: Partial<ClientOptions> = check("withOptions", changed, clientKinds);
  const retry = { ...retryOf(options), ...retryOf(given) };
  return { ...options, ...given, retry, headers: { ...options.headers, ...given.headers } };
}

/** Checks the options of one call and drops those that are undefined. */
export function checkCallOptions(operation: string, options: CallOptions | undefined): CallOptions {
  return check(operation, options, callKinds);
}
