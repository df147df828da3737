import { CellError } from "@chain-query/format/cells";
import { LiteError } from "../wire/lite-error.ts";
import { type LiteQuery, withWait } from "../wire/tl/queries.ts";
import type { Choice } from "./choice.ts";
import { EVIDENCE, evidence, type OnLiteEvent } from "./events.ts";
import { conclude, faultOf, GivenUpError, isRefusal } from "./fault.ts";
import type { Exchange, Server } from "./server.ts";

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

/** Attempts at one server for one read. */
const ATTEMPTS = 2;
/** Milliseconds before servers are asked again that did not have the block, or whose connection the client closed. */
const PAUSES = [200, 400, 800];

interface Failure {
  readonly server: Server;
  readonly error: LiteError;
  readonly exchange: Exchange;
}

/**
 * The errors of a read so far, and the decision whether it continues. A false answer or a refusal is a fault of its server only if another
 * server answers the same question: otherwise it may be due to the question, which callers choose.
 */
export class Progress {
  readonly #name: string;
  readonly #onEvent: OnLiteEvent;
  readonly #failures: Failure[] = [];
  readonly #attempts = new Map<Server, number>();
  readonly #later = new Set<Server>();
  readonly #behind = new Set<Server>();
  /** Whether the client closed a connection: the server may be connected again soon. */
  #wasGivenUp = false;
  readonly #isOnce: boolean;
  #rounds = 0;

  /** @param isOnce - Whether servers that do not have the block are not asked again. */
  constructor(name: string, isOnce: boolean, onEvent: OnLiteEvent) {
    this.#name = name;
    this.#onEvent = onEvent;
    this.#isOnce = isOnce;
  }

  get last(): LiteError | undefined {
    return this.#failures.at(-1)?.error;
  }

  /** Whether another server was asked before. */
  get isRetry(): boolean {
    return this.#failures.length > 0;
  }

  failed(server: Server, error: LiteError, exchange: Exchange): void {
    const fault = faultOf(error);
    // An answer may have megabytes, and many reads may go on for seconds.
    const answer = Uint8Array.from(exchange.answer.subarray(0, fault === "false-answer" ? EVIDENCE : 0));
    this.#failures.push({ server, error, exchange: { query: exchange.query, answer } });
    const isGivenUp = error instanceof GivenUpError;
    if (isGivenUp) this.#wasGivenUp = true;
    if (fault === "behind") this.#behind.add(server);
    const isFinal = isRefusal(error) || fault === "false-answer" || (fault === "behind" && this.#isOnce);
    if ((fault === "behind" && !isFinal) || isGivenUp) this.#later.add(server);
    else this.#attempts.set(server, (this.#attempts.get(server) ?? 0) + (isFinal ? ATTEMPTS : 1));
  }

  succeeded(by: Server): void {
    for (const { server, error, exchange } of this.#failures) {
      if (server === by) continue;
      if (faultOf(error) === "false-answer") server.quarantine(error.message, exchange.query, exchange.answer);
      if (!isRefusal(error)) continue;
      server.overruled();
      const names = { server: server.name, by: by.name, function: this.#name };
      this.#onEvent({ type: "overruled", ...names, reason: error.message });
    }
  }

  /** Whether a server did not have the block, although it may have reported it: nodes apply shard blocks later. */
  wasBehind(server: Server): boolean {
    return this.#behind.has(server);
  }

  isLeft(server: Server): boolean {
    return !this.#later.has(server) && (this.#attempts.get(server) ?? 0) < ATTEMPTS;
  }

  /**
   * Called when no server is left. Returns the milliseconds until some servers may be asked again.
   *
   * @param mayHave - The servers that may have the answer. A read is refused if all of them refuse it.
   * @throws LiteError if the read has failed.
   */
  nextRound(mayHave: readonly Server[]): number {
    const ms = this.#later.size > 0 || this.#wasGivenUp ? PAUSES[this.#rounds] : undefined;
    if (ms === undefined) throw this.#conclude(mayHave);
    this.#rounds += 1;
    this.#later.clear();
    return ms;
  }

  #conclude(mayHave: readonly Server[]): LiteError {
    for (const { server, error, exchange } of this.#failures) {
      if (faultOf(error) !== "false-answer") continue;
      const [query, answer] = [exchange.query, exchange.answer].map(evidence);
      this.#onEvent({ type: "unproved", server: server.name, reason: error.message, query: query ?? "", answer: answer ?? "" });
    }
    // One whose connection has ended was asked, but has not refused.
    const refusing = new Set(this.#failures.filter(({ error }) => isRefusal(error)).map(({ server }) => server));
    return conclude(
      this.#name,
      this.#failures.map(({ error }) => error),
      mayHave.filter((server) => !refusing.has(server)).length,
    );
  }
}
