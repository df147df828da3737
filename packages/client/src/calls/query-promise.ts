/** The promise that methods return. */
import { type CallError, ChainQueryError } from "../errors.ts";
import type { ReceivedResponse } from "../transport/settings.ts";
import { type Envelope, extraOf } from "./envelope.ts";

/**
 * The whole body of a success.
 *
 * @example
 * ```ts
 * const headOf = ({ result }: Success<MasterchainInfo>): number => result.last.seqno;
 * ```
 */
export interface Success<Result> {
  readonly ok: true;
  readonly result: Result;
  /** Identifier of the request, if the service sends one. */
  readonly "@extra"?: string;
}

/**
 * A result with its response.
 *
 * @example
 * ```ts
 * const { result, response, attempts } = await chain.getConsensusBlock().withResponse();
 * console.log(result.consensus_block, response.headers.get("date"), attempts);
 * ```
 */
export interface WithResponse<Result> {
  readonly result: Result;
  /** The `@extra` of the response, if present. */
  readonly extra: string | undefined;
  /** The whole body, parsed. */
  readonly envelope: Success<Result>;
  /** Status and headers. The body has been read; `text()` and `json()` still return it. */
  readonly response: Response;
  /** How many requests were sent. */
  readonly attempts: number;
}

/**
 * A result, or the error as a value.
 *
 * @example
 * ```ts
 * const response = await chain.getMasterchainInfo().safe();
 * console.log(response.ok ? response.result.last.seqno : response.error.message);
 * ```
 */
export type Safe<Result> = { readonly ok: true; readonly result: Result } | { readonly ok: false; readonly error: CallError };

/**
 * A promise of the result. The request is sent at once, even if the promise is not awaited.
 *
 * @example
 * ```ts
 * const { last } = await chain.getMasterchainInfo();
 * const { response, attempts } = await chain.getMasterchainInfo().withResponse();
 * const response = await chain.getMasterchainInfo().safe();
 * ```
 */
export interface QueryPromise<Result> extends Promise<Result> {
  /** The result with the envelope, the response and the number of attempts. */
  withResponse(): Promise<WithResponse<Result>>;
  /** The result or the error as a value. Rejects only with errors of your own `validate` or limiter. */
  safe(): Promise<Safe<Result>>;
}

/** The end of a call. */
interface Completed {
  readonly envelope: Envelope;
  readonly received: ReceivedResponse;
  readonly attempts: number;
}

/** Starts a call, which calls `onCompleted` before it resolves to its result. */
export function queryPromise<Result>(start: (onCompleted: (end: Completed) => void) => Promise<Result>): QueryPromise<Result> {
  let end: Completed;
  const query = start((completed) => {
    end = completed;
  });
  return Object.assign(query, {
    async withResponse() {
      const result = await query;
      const { envelope, received, attempts } = end;
      const { response, text } = received;
      Object.assign(response, { text: async () => text, json: async () => JSON.parse(text) });
      return { result, response, attempts, extra: extraOf(envelope), envelope: envelope as unknown as Success<Result> };
    },
    safe: () =>
      query.then(
        (result) => ({ ok: true, result }) as const,
        // Errors of the caller's own code are bugs to throw, not failures of the call.
        (error: unknown) => (error instanceof ChainQueryError ? ({ ok: false, error } as const) : (query as Promise<never>)),
      ),
  });
}
