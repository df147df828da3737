/**
 * The head of a response: the headers chain-head, chain-min-head and Prefer: wait (D-51).
 *
 * A request that names a lowest head:
 *
 *   begun        The head is read once.
 *     → answered   if it is not lower.
 *     → behind     without `wait`: 503.
 *     → waiting    with `wait`. Its deadline stands still.
 *   waiting      In one list, whose loop reads the head for all while any request waits.
 *     → answered   as soon as the head is there. At the end of the wait or at a drain, if the request named no lowest head.
 *     → behind     at the end of the wait, or at a drain.
 *     → gone       when the caller closes the connection.
 */
import { type Awaitable, pause } from "@chain-query/format/async";
import type { ChainReader, Head } from "@chain-query/format/store";
import { behindText, lowestHead, preferencesIn } from "@chain-query/openapi/heads";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Deadline, type Deadlines, deadlineSignal } from "../deadline.ts";
import { exposedHeaders, HttpError, messageOf } from "../failure.ts";
import { RequestHead } from "../request-head.ts";

/** Seconds that a request may wait at most. */
const longestWait = 20;
/** Milliseconds between two reads of the head: of a database, and of a reader that answers at once. */
const readInterval = { database: 100, memory: 10 };
/** Milliseconds for a read of the head. */
const readTime = 5_000;
/** Requests that are continued without a break for others. */
const batchSize = 8;
const forever = new AbortController().signal;

interface Waiter {
  readonly lowest: number;
  readonly deadline: Deadline;
  /** Of `performance.now()`. */
  readonly until: number;
  resume(): void;
}

/** The heads of the responses of one process. */
export class Heads {
  readonly #source: ChainReader;
  readonly #deadlines: Deadlines;
  readonly #onWaits: (change: 1 | -1) => void;
  readonly #waiters = new Set<Waiter>();
  /** The newest one so far. */
  #last: Head | undefined;
  #isReading = false;
  #isDraining = false;

  /** @param onWaits - Called when a request begins or ends to wait. */
  constructor(source: ChainReader, deadlines: Deadlines, onWaits: (change: 1 | -1) => void) {
    this.#onWaits = onWaits;
    this.#source = source;
    this.#deadlines = deadlines;
  }

  /**
   * Begins a request of an operation: gives it its head, without a promise as long as it names no lowest one.
   *
   * @throws HttpError of reason "behind" if the head is lower than the one that the request names.
   */
  begin(request: FastifyRequest, reply: FastifyReply): Awaitable<RequestHead> {
    const lowest = lowestIn(request.headers["chain-min-head"]);
    const { wait: asked } = preferencesIn(request.headers["prefer"]?.toString());
    const wait = asked && Math.min(asked, longestWait);
    const isForNext = lowest === undefined && wait !== undefined && request.operation === "getMasterchainInfo";
    const head = new RequestHead(this.#source, request.deadline.signal, request);
    request.head = head;
    if (head.known !== undefined) this.#note(head.known);
    if (this.#last !== undefined) head.answerAsOf(seqnoOf(this.#last));
    if (lowest === undefined && !isForNext) return head;
    if (wait !== undefined) reply.header("preference-applied", "wait");
    return this.#reach(request, head, lowest, wait ?? 0);
  }

  /** Sets chain-head: the head that the request was answered as of, or if it needed none, the newest one that was known when it began. */
  mark(request: FastifyRequest, reply: FastifyReply): void {
    const seqno = request.head?.seqno ?? (this.#last && seqnoOf(this.#last));
    if (seqno !== undefined) reply.header("chain-head", String(seqno));
    if (request.headers.origin !== undefined) reply.headers(exposedHeaders);
  }

  /** Answers all that wait, and lets none wait from now on. */
  drain(): void {
    this.#isDraining = true;
    for (const waiter of this.#waiters) this.#resume(waiter);
  }

  async #reach(request: FastifyRequest, head: RequestHead, lowest: number | undefined, wait: number): Promise<RequestHead> {
    const { deadline } = request;
    const idleTime = request.server.server.timeout;
    const first = await head.newest();
    this.#note(first);
    const awaited = lowest ?? seqnoOf(first) + 1;
    if (seqnoOf(first) < awaited && wait > 0 && !this.#isDraining) {
      const { socket } = request.raw;
      this.#deadlines.pause(deadline);
      socket.setTimeout(idleTime + wait * 1000);
      this.#onWaits(1);
      await new Promise<void>((resume) => {
        this.#waiters.add({ lowest: awaited, deadline, until: performance.now() + wait * 1000, resume });
        if (!this.#isReading) void this.#read();
      });
      // Neither the deadline nor the measured time contains the wait.
      request.started = performance.now();
      deadline.signal.throwIfAborted();
      this.#deadlines.resume(deadline);
      socket.setTimeout(idleTime);
    }
    const reached = seqnoOf(head.reach(this.#last ?? first));
    if (lowest !== undefined && reached < lowest) throw behind(reached, lowest);
    return head;
  }

  /** Reads the head for all that wait. One read is in flight at a time, and none holds up the end of a wait. */
  async #read(): Promise<void> {
    this.#isReading = true;
    let reading: Promise<unknown> | undefined;
    let interval = readInterval.database;
    while (this.#waiters.size > 0) {
      if (reading === undefined) {
        const head = this.#headNow(interval === readInterval.memory ? forever : deadlineSignal(readTime));
        interval = head instanceof Promise ? readInterval.database : readInterval.memory;
        if (head instanceof Promise) {
          reading = head.then(() => {
            reading = undefined;
          });
        }
      }
      if (reading !== undefined) await Promise.race([reading, pause(interval, forever)]);
      await this.#wake();
      await pause(interval, forever);
    }
    this.#isReading = false;
  }

  /** Reads the head. Never fails: a request gets the error of its own read when its wait ends. */
  #headNow(signal: AbortSignal): Awaitable<void> {
    try {
      const head = this.#source.head(signal);
      if (!(head instanceof Promise)) return this.#note(head);
      return head.then(
        (found) => this.#note(found),
        () => {},
      );
    } catch {
      return Promise.resolve();
    }
  }

  /** Continues the requests whose head is there, and those that have waited long enough. */
  async #wake(): Promise<void> {
    const now = performance.now();
    let count = 0;
    for (const waiter of this.#waiters) {
      const { lowest, until, deadline } = waiter;
      const isBehind = this.#last === undefined || seqnoOf(this.#last) < lowest;
      if (isBehind && until > now && !deadline.signal.aborted) continue;
      this.#resume(waiter);
      if (++count % batchSize === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #resume(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    this.#onWaits(-1);
    waiter.resume();
  }

  #note(head: Head): void {
    if (this.#last === undefined || seqnoOf(head) > seqnoOf(this.#last)) this.#last = head;
  }
}

function seqnoOf({ block }: Head): number {
  return block.id.seqno;
}

function behind(seqno: number, lowest: number): HttpError {
  return new HttpError(503, behindText(seqno, lowest), { reason: "behind", headers: { "retry-after": "1" } });
}

function lowestIn(header: string | readonly string[] | undefined): number | undefined {
  try {
    return lowestHead(header?.toString());
  } catch (error) {
    throw new HttpError(422, messageOf(error), { input: "chain-min-head" });
  }
}
