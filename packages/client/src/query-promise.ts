/** What a method returns: a promise of the result that can also tell more. */

/**
 * A result with all that came with it.
 *
 * @example
 * ```ts
 * const { result, response, attempts } = await chain.getConsensusBlock().withResponse();
 * console.log(result.consensus_block, response.headers.get("date"), attempts);
 * ```
 */
export interface WithResponse<Result, Envelope = unknown> {
  readonly result: Result;
  /** The `@extra` of the answer, where it has one. */
  readonly extra: string | undefined;
  /** The whole body, parsed. */
  readonly envelope: Envelope;
  /** Status and headers; the body has been read. */
  readonly response: Response;
  /** How many requests it took. */
  readonly attempts: number;
}

/**
 * A result or the error in its place; never thrown.
 *
 * @example
 * ```ts
 * const answer = await chain.getMasterchainInfo().safe();
 * console.log(answer.ok ? answer.result.last.seqno : answer.error.message);
 * ```
 */
export type Safe<Result> = { readonly ok: true; readonly result: Result } | { readonly ok: false; readonly error: Error };

/**
 * A promise of the result. The request is under way whether it is awaited or not.
 *
 * @example
 * ```ts
 * const { last } = await chain.getMasterchainInfo();
 * const { response, attempts } = await chain.getMasterchainInfo().withResponse();
 * const answer = await chain.getMasterchainInfo().safe();
 * ```
 */
export interface QueryPromise<Result, Envelope = unknown> extends Promise<Result> {
  /** The result with the envelope, the response and the number of attempts. */
  withResponse(): Promise<WithResponse<Result, Envelope>>;
  /** The result or the error as a value; it never rejects. */
  safe(): Promise<Safe<Result>>;
}

/** Makes one from a call that is under way. */
export function queryPromise<Result, Envelope>(call: Promise<WithResponse<Result, Envelope>>): QueryPromise<Result, Envelope> {
  const result = call.then((answer) => answer.result);
  // Each way to ask handles a failure by itself; the others must not report it as unhandled.
  const quiet = () => result.catch(() => {});
  return Object.assign(result, {
    withResponse: () => {
      quiet();
      return call;
    },
    safe: () =>
      result.then(
        (value) => ({ ok: true, result: value }) as const,
        (error: Error) => ({ ok: false, error }) as const,
      ),
  });
}
