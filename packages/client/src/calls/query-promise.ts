/** The promise that methods return. */
import { type CallError, ChainQueryError } from "../errors.ts";

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

/** Adds the methods to the promise of a result. `withResponse` is called after the result has come. */
export function queryPromise<Result>(
  query: Promise<Result>,
  withResponse: (result: Result) => WithResponse<Result> | Promise<WithResponse<Result>>,
): QueryPromise<Result> {
  return Object.assign(query, {
    withResponse: () => query.then(withResponse),
    safe: () =>
      query.then(
        (result) => ({ ok: true, result }) as const,
        // Errors of the caller's own code are bugs to throw, not failures of the call.
        (error: unknown) => (error instanceof ChainQueryError ? ({ ok: false, error } as const) : (query as Promise<never>)),
      ),
  });
}
