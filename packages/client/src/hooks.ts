/** Hooks. No event ever holds the API key. */
import type { ChainQueryError } from "./errors.ts";

/**
 * One call, from the method to its result; the same object in all of its events.
 *
 * @example
 * ```ts
 * const began = new WeakMap<Call, number>();
 * const hooks: Hooks = { onRequest: ({ call }) => void began.set(call, Date.now()) };
 * ```
 */
export interface Call {
  /** The operation, such as `lookupBlock`; for `client.raw` its path. */
  readonly operation: string;
  /** Requests sent so far. */
  readonly attempts: number;
}

/**
 * Functions that are called on events. One that throws or rejects is ignored: hooks never change a call.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl, hooks: { onRetry: ({ call, delayMs }) => metrics.retried(call.operation, delayMs) } });
 * ```
 */
export interface Hooks {
  /** Once, at the start of a call, before it waits for the limiter; not for `client.raw`. */
  onCall?(event: { call: Call }): void;
  /**
   * Before an attempt waits for the limiter: for the rate, a free slot, or the end of a pause after a 429. `waitMs` is about how long;
   * infinity while all slots of `maxConcurrency` are in use, undefined if your own limiter does not tell.
   */
  onWait?(event: { call: Call; waitMs: number | undefined }): void;
  /** Before each attempt, once the limiter has let it through; `url` is without its query. */
  onRequest?(event: { call: Call; method: string; url: string }): void;
  /** After the headers of each response. */
  onResponse?(event: { call: Call; status: number; durationMs: number }): void;
  /** Before the wait for another attempt. */
  onRetry?(event: { call: Call; delayMs: number; error?: ChainQueryError; status?: number }): void;
  /** Once, at the end of a call; not for `client.raw`, whose end is openapi-fetch's. */
  onSettled?(event: { call: Call; durationMs: number; error?: unknown }): void;
}

/**
 * Receives log lines: `debug` for each response, `warn` for each retry. `console` is one.
 *
 * @example
 * ```ts
 * const logger: Logger = { warn: (line) => console.error(new Date().toISOString(), line) };
 * const chain = createClient({ baseUrl, hooks: loggingHooks(logger) });
 * ```
 */
export interface Logger {
  /** Receives a line for each response. */
  debug?(message: string): void;
  /** Receives a line for each retry. */
  warn?(message: string): void;
}

type Events = { [Name in keyof Hooks]-?: Parameters<NonNullable<Hooks[Name]>>[0] };

/** Calls the hooks of an event. */
export type Emit = <Name extends keyof Hooks>(name: Name, event: Events[Name]) => void;

/** Returns undefined if there are no hooks, so that no event objects are created. */
export function emitter(given: Hooks | readonly Hooks[] = []): Emit | undefined {
  const all = [given].flat() as Hooks[];
  if (!all[0]) return undefined;
  return (name, event) => {
    for (const hooks of all) {
      const call = async () => (hooks[name] as ((event: unknown) => void) | undefined)?.(event);
      // A hook that throws or rejects must not break the call.
      call().catch(() => {});
    }
  };
}

/**
 * Creates hooks that write a line for each response and each retry.
 *
 * @example
 * ```ts
 * const chain = createClient({ baseUrl, hooks: loggingHooks(console) });
 * // getMasterchainInfo (attempt 1): 200 in 12 ms
 * ```
 */
export function loggingHooks(logger: Logger): Hooks {
  const name = ({ operation, attempts }: Call) => `${operation} (attempt ${attempts})`;
  return {
    onResponse: ({ call, status, durationMs }) => logger.debug?.(`${name(call)}: ${status} in ${durationMs.toFixed(0)} ms`),
    onRetry: ({ call, delayMs, error, status }) =>
      logger.warn?.(`${name(call)}: ${status ?? error?.code}, trying again in ${delayMs.toFixed(0)} ms`),
  };
}
