import { CellError } from "@chain-query/format/cells";
import { LiteError } from "../wire/lite-error.ts";
import { type LiteQuery, withWait } from "../wire/tl/queries.ts";
import type { Choice } from "./choice.ts";
import type { OnLiteEvent } from "./events.ts";
import { faultOf, GivenUpError } from "./fault.ts";
import type { Exchange } from "./server.ts";

/** A query with the verification of its answer. */
export interface CheckedQuery<Answer, Result> {
  readonly query: LiteQuery<Answer>;
  /**
   * Verifies an answer, and returns its result. Must depend on the query and the purpose only, since equal queries are sent once.
   *
   * @param signal - Aborts when no caller waits for the result.
   * @throws LiteError of kind "proof" if the answer is false: the pool asks another server.
   */
  readonly check: (answer: Answer, signal: AbortSignal) => Result | Promise<Result>;
  /** Tells the query from an equal one whose answer is verified in another way: they are sent separately. */
  readonly purpose?: string;
}

/** Milliseconds that a server waits for a block that it does not have yet. */
const BLOCK_WAIT = 2_500;

/**
 * Asks one server, and records the outcome there. The caller has taken a place from its limit, which is released here.
 *
 * @param onFailure - Receives the error of the server, unless the read was cancelled.
 */
export async function attempt<Answer, Result>(
  { server, waitSeqno }: Choice,
  { query, check }: CheckedQuery<Answer, Result>,
  kind: { readonly isHedge: boolean; readonly isRetry: boolean },
  signal: AbortSignal,
  onEvent: OnLiteEvent,
  onFailure: (error: LiteError, exchange: Exchange) => void,
): Promise<Result> {
  const startedAt = performance.now();
  const sent = waitSeqno === undefined ? query : withWait(query, { seqno: waitSeqno, timeoutMs: BLOCK_WAIT });
  let answer: Uint8Array | undefined;
  let failure: unknown;
  /** Until the answer, without its verification. */
  let ms: number | undefined;
  try {
    answer = await server.send(sent.bytes, signal);
    ms = performance.now() - startedAt;
    const result = await verify(query.read(answer), check, signal);
    server.succeeded(ms);
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    server.limit.release();
    ms ??= performance.now() - startedAt;
    const isAborted = failure !== undefined && signal.aborted && (!answer || failure === signal.reason);
    const isCancelled = failure instanceof GivenUpError || isAborted;
    // A server that lost a race took at least this long.
    if (isCancelled) server.latency.add(ms);
    else if (failure instanceof LiteError) server.failed(failure, query.name, answer, ms);
    if (failure instanceof LiteError && !signal.aborted)
      onFailure(failure, { query: sent.bytes, answer: answer ?? new Uint8Array() });
    onEvent({
      type: "answer",
      server: server.name,
      function: query.name,
      ms,
      outcome: isCancelled ? "cancelled" : failure === undefined ? "ok" : (faultOf(failure) ?? "broken"),
      error: failure instanceof LiteError ? failure : undefined,
      ...kind,
      bytesSent: sent.bytes.length,
      bytesReceived: answer?.length ?? 0,
    });
  }
}

/** Errors of reading cells become errors of kind "proof". */
async function verify<Answer, Result>(
  answer: Answer,
  check: CheckedQuery<Answer, Result>["check"],
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await check(answer, signal);
  } catch (error) {
    if (error instanceof CellError || error instanceof RangeError)
      throw new LiteError("proof", error.message, { cause: error });
    throw error;
  }
}
