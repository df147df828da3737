import type { Emit } from "../hooks.ts";
import type { Limiter } from "./limiter.ts";
import type { Retry } from "./retry.ts";

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

/** How a call is sent. */
export interface TransportSettings extends Retry {
  readonly key: (operation: string) => string | undefined | Promise<string>;
  readonly fetch?: Fetch | undefined;
  readonly limiter: Limiter | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly emit: Emit | undefined;
  /** The signal of the caller. */
  readonly signal?: AbortSignal | undefined;
}

/** A request to send. It is a real Request only for middleware and for callers of `client.raw`. */
export type Draft = Request | { url: string; method: string; headers: Headers; body?: string };
