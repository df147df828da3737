import { type Flight, pause, SingleFlight, untilAborted } from "@chain-query/format/async";
import { Cell } from "@chain-query/format/cells";
import { LRUCache } from "lru-cache";
import { LiteError } from "../wire/lite-error.ts";
import { attempt, type CheckedQuery, Progress } from "./attempt.ts";
import { type Choice, choose, Hedges, isAllowed, type Need } from "./choice.ts";
import type { OnLiteEvent } from "./events.ts";
import { faultOf } from "./fault.ts";
import type { LiteBudget } from "./query-budget.ts";
import type { Server } from "./server.ts";

export interface PoolRead<Answer, Result> extends CheckedQuery<Answer, Result> {
  readonly need?: Need;
  /** Keeps the result: it is verified and can never change. */
  readonly isImmutable?: boolean;
  /** Pays for the queries. Cached and shared results are free. */
  readonly budget?: LiteBudget;
  /** Whether other reads come first while all servers are at their limits. */
  readonly yields?: boolean | undefined;
  /** Whether servers that do not have the block are not asked again a little later. */
  readonly isOnce?: boolean;
}

interface Asked {
  readonly query: { readonly name: string };
  readonly need?: Need;
  readonly yields?: boolean | undefined;
}

/** Milliseconds between two checks of waiting reads, at most. */
const REVIEW_INTERVAL = 1_000;

/** The reasons of queries that are not needed any more: each read ends with both, and the stack of an error takes time. */
const unwanted = new LiteError("unavailable", "no caller waits for the answer");
const slower = new LiteError("unavailable", "another server was faster");

/**
 * Asks the servers. A read goes to one server and, if its answer is missing or wrong, to another one, until its signal aborts. So a false
 * answer costs time but is never returned. Concurrent equal reads share one query, and immutable results are cached.
 */
export class Pool {
  readonly #servers: readonly Server[];
  readonly #onEvent: OnLiteEvent;
  readonly #hedges = new Hedges();
  readonly #flights = new SingleFlight<unknown>(unwanted);
  readonly #progress = new WeakMap<Flight<unknown>, Progress>();
  readonly #cache: LRUCache<string, { readonly result: unknown }>;
  readonly #waiting = new Set<() => boolean>();
  /** The waiting reads that come last. */
  readonly #yielding = new Set<() => boolean>();
  #timer: NodeJS.Timeout | undefined;

  constructor(servers: readonly Server[], onEvent: OnLiteEvent, cacheBytes: number) {
    this.#servers = servers;
    this.#onEvent = onEvent;
    // LRUCache takes 0 for no limit. One value takes a tenth of the cache at most.
    this.#cache = new LRUCache({ maxSize: Math.max(1, cacheBytes), maxEntrySize: Math.max(1, Math.floor(cacheBytes / 10)) });
  }

  /** @throws LiteError of kind "unavailable", "timeout", "refused" or "exhausted"; the error of the budget; the signal's reason. */
  async ask<Answer, Result>(read: PoolRead<Answer, Result>, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    const { query, need, purpose = "" } = read;
    const { name, bytes } = query;
    const key = `${purpose} ${need?.archival ?? false}${need?.server ?? ""} ${Buffer.from(bytes).toString("latin1")}`;
    // A read that waits for a block must not fail with one that does not.
    const urgentKey = read.isOnce ? `once ${key}` : key;
    // A read that comes first must not wait for one that yields.
    const flightKey = read.yields ? `yields ${urgentKey}` : urgentKey;
    let flight: Flight<unknown> | undefined;
    for (let isPaid = false; flight === undefined; isPaid = true) {
      const cached = this.#cache.get(key);
      if (cached) this.#onEvent({ type: "cached", function: name });
      // The same purpose and bytes have the same check, and so the same type.
      if (cached) return cached.result as Result;
      flight = this.#flights.get(urgentKey) ?? this.#flights.get(flightKey);
      if (flight) this.#onEvent({ type: "shared", function: name });
      const delay = flight || isPaid ? undefined : read.budget?.spend();
      // Other reads may have had the answer meanwhile.
      if (delay) await untilAborted(delay, signal);
      else flight ??= this.#flights.begin(flightKey, (begun) => this.#start(key, read, begun));
    }
    try {
      return (await flight.join(signal)) as Result;
    } catch (error) {
      const last = this.#progress.get(flight)?.last;
      const isLate = signal.aborted && error instanceof LiteError && error.kind === "timeout" && last;
      throw isLate ? new LiteError("timeout", `${error.message}; ${last.message}`, { cause: last, code: last.code }) : error;
    }
  }

  /** Sends waiting reads in their order, those that yield last, as far as servers are free. */
  readonly wake = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const waiting of [this.#waiting, this.#yielding]) {
      for (const tryNow of waiting) {
        if (this.#isBusy()) break;
        if (tryNow()) waiting.delete(tryNow);
      }
    }
    if (!this.#isAnyWaiting) return;
    const delays = this.#servers.map(({ state, limit }) => (state === "ready" ? limit.delay() : REVIEW_INTERVAL));
    this.#timer = setTimeout(this.wake, Math.max(1, Math.min(...delays, REVIEW_INTERVAL)));
  };

  close(): void {
    clearTimeout(this.#timer);
    this.#flights.abort(new LiteError("unavailable", "the client is closed"));
  }

  get #isAnyWaiting(): boolean {
    return this.#waiting.size > 0 || this.#yielding.size > 0;
  }

  /** Whether all servers are at their limits. */
  #isBusy(): boolean {
    const ready = this.#servers.filter(({ state }) => state === "ready");
    return ready.length > 0 && ready.every(({ limit }) => limit.delay() > 0);
  }

  async #start<Answer, Result>(key: string, read: PoolRead<Answer, Result>, flight: Flight<unknown>): Promise<Result> {
    const progress = new Progress(read.query.name, read.isOnce ?? false, this.#onEvent);
    this.#progress.set(flight, progress);
    const verified = await this.#run(read, progress, flight.signal);
    if (read.isImmutable) {
      const size = key.length + memoryOf(verified, this.#cache.maxEntrySize);
      this.#cache.set(key, { result: verified }, { size });
    }
    return verified;
  }

  async #run<Answer, Result>(read: PoolRead<Answer, Result>, progress: Progress, signal: AbortSignal): Promise<Result> {
    for (;;) {
      const choice = await this.#acquire(read, progress, signal);
      try {
        return await this.#attempts(read, progress, choice, signal);
      } catch (error) {
        signal.throwIfAborted();
        const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
        // A fault of this program: another server does not help.
        const own = failures.find((each) => faultOf(each) === undefined);
        if (own !== undefined) throw own;
      }
    }
  }

  /** Asks one server and, if it is slow, a second one. Cancels the slower of them. */
  async #attempts<Answer, Result>(
    read: PoolRead<Answer, Result>,
    progress: Progress,
    first: Choice,
    signal: AbortSignal,
  ): Promise<Result> {
    const race = new AbortController();
    const stop = () => race.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const start = async (choice: Choice, isHedge: boolean) => {
      const startedAt = performance.now();
      if (isHedge || progress.isRetry) read.budget?.repeat();
      try {
        const kind = { isHedge, isRetry: progress.isRetry };
        const verified = await attempt(choice, read, kind, race.signal, this.#onEvent, (error, exchange) => {
          progress.failed(choice.server, error, exchange);
          // Callers do not choose what only one server is asked for, such as a proof of its newest block.
          if (read.need?.server !== undefined && faultOf(error) === "false-answer")
            choice.server.quarantine(error.message, exchange.query, exchange.answer);
        });
        this.#hedges.answered(read.query.name, performance.now() - startedAt);
        progress.succeeded(choice.server);
        return verified;
      } finally {
        this.wake();
      }
    };
    const startSecond = () => {
      const choice = this.#take(read, progress, first.server);
      return typeof choice === "object" ? start(choice, true) : undefined;
    };
    try {
      return await this.#hedges.race(read.query.name, start(first, false), startSecond);
    } finally {
      signal.removeEventListener("abort", stop);
      race.abort(slower);
    }
  }

  async #acquire(read: Asked, progress: Progress, signal: AbortSignal): Promise<Choice> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#isAnyWaiting) this.wake();
      const taken = this.#take(read, progress);
      const choice = taken === "later" ? await this.#whenFree(read, progress, signal) : taken;
      if (choice !== "none") return choice;
      const mayHave = this.#servers.filter((server) => isAllowed(server, read.query.name, read.need) && server.mayAnswer);
      await pause(progress.nextRound(mayHave), signal);
    }
  }

  async #whenFree(read: Asked, progress: Progress, signal: AbortSignal): Promise<Choice | "none"> {
    const free = Promise.withResolvers<Choice | "none">();
    const tryNow = () => {
      const choice = this.#take(read, progress);
      if (choice !== "later") free.resolve(choice);
      return choice !== "later";
    };
    const waiting = read.yields ? this.#yielding : this.#waiting;
    const stop = () => {
      waiting.delete(tryNow);
      free.reject(signal.reason);
    };
    waiting.add(tryNow);
    signal.addEventListener("abort", stop, { once: true });
    if (!this.#timer) this.#timer = setTimeout(this.wake, 1);
    try {
      return await free.promise;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #take({ query, need }: Asked, progress: Progress, except?: Server): Choice | "none" | "later" {
    const isLeft = (server: Server) => server !== except && progress.isLeft(server);
    const choice = choose(this.#servers, query.name, need ?? {}, isLeft);
    if (typeof choice === "string") return choice;
    choice.server.limit.take();
    return progress.wasBehind(choice.server) ? { ...choice, waitSeqno: need?.seqno } : choice;
  }
}

/** Estimated bytes of an object in the heap, and of a cell with its hash. */
const OBJECT = 100;
const CELL = 350;

/**
 * Estimates the bytes of memory that a value keeps alive: its objects, its cells, and the whole buffers of its views. A cell takes about
 * 500 bytes, even if it has few in an answer. Shared parts count once.
 *
 * @param most - Counting stops here, to limit the time for large values.
 */
export function memoryOf(value: unknown, most: number): number {
  const seen = new Set<object>();
  const left: unknown[] = [value];
  let bytes = 0;
  while (left.length > 0 && bytes <= most) {
    const next = left.pop();
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    if (next instanceof ArrayBuffer) {
      bytes += next.byteLength;
      continue;
    }
    bytes += next instanceof Cell ? CELL : OBJECT;
    if (ArrayBuffer.isView(next)) left.push(next.buffer);
    else for (const part of Object.values(next)) left.push(part);
  }
  return bytes;
}
