/** Reads the options of a client: checks, defaults and changes. */

import { checkOptions } from "#diagnostics";
import { deploymentOf } from "./operations/input.ts";
import type { ClientOptions } from "./options.ts";
import type { Retry } from "./transport/timing.ts";

/** Options of a client with defaults filled in. */
export type Settings = ClientOptions & Retry & { timeoutMs: number; deadlineMs: number };

const defaults: Retry & { timeoutMs: number; deadlineMs: number } = {
  timeoutMs: 30_000,
  deadlineMs: 120_000,
  maxRetries: 2,
  baseDelayMs: 500,
  maxDelayMs: 8_000,
  statuses: [408, 425, 429, 502, 503, 504],
};

/** Checks the options of a client, if this build does, and fills in the defaults. */
export function readClientOptions(options: ClientOptions): Settings {
  const checked = checkOptions("client", options) as unknown as ClientOptions;
  return { ...defaults, ...checked, baseUrl: deploymentOf(checked.baseUrl), ...retryOf(checked) } as Settings;
}

function retryOf({ retry }: Partial<ClientOptions>): Partial<Retry> {
  return retry === false ? { maxRetries: 0 } : checkOptions("retry", retry);
}

/** Merges changed options into those of a client; undefined changes nothing. */
export function mergeOptions(options: ClientOptions, changed: Partial<ClientOptions>): ClientOptions {
  const given: Partial<ClientOptions> = checkOptions("change", changed);
  const retry = { ...retryOf(options), ...retryOf(given) };
  return { ...options, ...given, retry, headers: { ...options.headers, ...given.headers } };
}
