/**
 * The connection of a process to one database: opens its sessions, checks what they lead to, retries reads, shares equal ones, and decides
 * whether the database is read from. A session is one TCP connection with pipelined statements.
 *
 * A read is sent at once, or fails at once:
 *
 *   open         Statements are sent on the session with the fewest reads. A read whose session was lost is sent again, on another one.
 *     → unreachable   when no session could be opened.
 *     → silent        when reads waited without any answer for a quarter longer than a statement may take, or no session could be
 *                     opened in 2 s. All reads that wait fail, and the sessions are discarded. Time is counted in steps of a timer,
 *                     so that a process that is busy, and reads no answers, does not take its database for silent.
 *   unreachable  Reads fail. → open after PAUSE: the next read opens a session.
 *   silent       Reads fail, except a probe on a new session. → open when it is answered or refused.
 *   closed       Reads fail.
 *
 * Whether the database is read from follows its checks. One reads the head, every 100 ms (see `Databases`):
 *
 *   connecting   No check was answered yet. → ready with the first answer; → failing and → other-chain as below
 *   ready        It is in service.
 *     → behind        when it has lacked a block of the primary for OUT_AFTER. → ready when it has it.
 *     → failing       when no check was answered for OUT_AFTER. → ready, or behind, with the next answer.
 *     → other-chain   when a session leads to another chain. → ready when one leads to the right chain again.
 */
import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import { SingleFlight } from "@chain-query/format/async";
import { type Parameter, placeOf, statementTimeoutOf } from "../database/client.ts";
import { isConnectTimeout, isKind, isLostRead, lostConnection, storeError } from "../database/store-error.ts";
import {
  type DatabaseEvents,
  type DatabaseState,
  type DatabaseStatus,
  type IndexedChain,
  type IndexHead,
  type PostgresConnection,
  PostgresStoreError,
} from "../types.ts";
import { type Rows, Session, type SessionState } from "./session.ts";

/** Milliseconds. */
const [PAUSE, PROBE_INTERVAL, OUT_AFTER] = [50, 200, 2_000];
/** The silence of a database whose statements have no limit. */
const LONGEST_SILENCE = 60_000;
/** Steps of the timer. An answer may take several ticks of the event loop, for instance the first one of a session. */
const SILENT_AFTER = 16;
const SESSIONS = 2;
/** Attempts of a read whose session was lost: the loss of the other session may show only when it is used. */
const TRIES = 3;
interface Waiting {
  readonly session: Session;
  /** In steps. */
  readonly sentAt: number;
  readonly reject: (reason: unknown) => void;
}

/** One database, as one process reads it. */
export class Connection {
  readonly name: string;
  readonly #options: PostgresConnection;
  readonly #events: DatabaseEvents;
  readonly #state: SessionState;
  /** Milliseconds. */
  readonly #step: number;
  readonly #sessions: Session[];
  /** Reads without an answer, in the order in which they were sent. */
  readonly #waiting = new Set<Waiting>();
  /** Runs while reads wait. */
  #timer: NodeJS.Timeout | undefined;
  /** Of the timer, so far. */
  #steps = 0;
  readonly #shared = new SingleFlight<Rows>();
  /** Why reads fail at once until a probe is answered. */
  #silent: PostgresStoreError | undefined;
  #pausedUntil = 0;
  #isClosed = false;
  #database: DatabaseState = "connecting";
  #head: IndexHead | undefined;
  /** Of the last check that was answered. */
  #checkedAt = 0;
  #behindSince: number | undefined;
  #isAnswering = true;

  /**
   * Nothing is sent before the first read.
   *
   * @param zeroState - As for `openPostgresReader`.
   * @throws RangeError if the URL is wrong.
   */
  constructor(name: string, options: PostgresConnection, zeroState?: Uint8Array, events: DatabaseEvents = {}) {
    this.name = name;
    this.#options = options;
    this.#events = events;
    this.#state = { connection: options, zeroState, newest: undefined };
    this.#step = (1.25 * statementTimeoutOf(options, "reader") || LONGEST_SILENCE) / SILENT_AFTER;
    this.#sessions = Array.from({ length: options.connections ?? SESSIONS }, () => this.#open());
  }

  /** Whether the checks allow reads from the database. */
  get isInService(): boolean {
    return this.#database === "ready";
  }

  /** The newest head that the database returned; undefined if it returned none since it held another chain, or lacked a step. */
  get head(): IndexHead | undefined {
    return this.#head;
  }

  /** The head's seqno, or -1 without a head. */
  get seqno(): number {
    return this.#head?.block.id.seqno ?? -1;
  }

  get status(): DatabaseStatus {
    const lag = this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1000;
    const inFlight = this.#waiting.size;
    return { name: this.name, state: this.#database, lag, inFlight, ...(this.#head && { seqno: this.#head.block.id.seqno }) };
  }

  /** The rows of a statement, of a database that has step `at`. Equal ones are read once at the same time. @throws PostgresStoreError. */
  rows(statement: string, parameters: readonly Parameter[], at: number, signal?: AbortSignal): Promise<Rows> {
    signal?.throwIfAborted();
    const key = `${at} ${parameters.map(textOf).join(" ")} ${statement}`;
    const read = (): Promise<Rows> => this.#run((session) => session.rows(statement, parameters, at));
    return (this.#shared.get(key) ?? this.#shared.begin(key, read)).result;
  }

  /** The records of a statement whose rows are records as base64. */
  async records(statement: string, parameters: readonly Parameter[], at: number, signal?: AbortSignal): Promise<Buffer[]> {
    const rows = await this.rows(statement, parameters, at, signal);
    return rows.map(([text]) => Buffer.from(String(text), "base64"));
  }

  /** @throws PostgresStoreError if the database has no index, or one of another version. */
  chain(): Promise<IndexedChain> {
    return this.#run((session) => session.chain());
  }

  async readHead(): Promise<IndexHead> {
    this.#head = await this.#run((session) => session.head());
    return this.#head;
  }

  /** Reads the head, compares it with the primary's, and decides whether the database is in service. */
  async check(primarySeqno: number): Promise<void> {
    const problem = await this.readHead().then(
      () => undefined,
      (error: unknown) => error,
    );
    const now = performance.now();
    if (problem === undefined) this.#checkedAt = now;
    this.#behindSince = this.seqno < primarySeqno ? (this.#behindSince ?? now) : undefined;
    if (isKind(problem, "other-chain")) return;
    if ((problem === undefined) !== this.#isAnswering) this.#events.onAnswering?.(this.name, messageOf(problem));
    this.#isAnswering = problem === undefined;
    if (problem === undefined) this.#change(now - (this.#behindSince ?? now) > OUT_AFTER ? "behind" : "ready");
    else if (now - this.#checkedAt > OUT_AFTER) this.#change("failing", problem);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#sessions.map((session) => session.end(1)));
  }

  async #run<Result>(read: (session: Session) => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    let hasFailed = true;
    try {
      for (let tried = 1; ; tried++) {
        if (this.#silent !== undefined) throw this.#silent;
        if (this.#isClosed || (this.#isPaused && this.#opened.length === 0))
          throw new PostgresStoreError("unreachable", `${this.#place}: no answer`);
        try {
          const result = await this.#send(read);
          hasFailed = false;
          return result;
        } catch (error) {
          if (tried < TRIES && isLostRead(error)) continue;
          const failure = this.#failure(error);
          // A session that cannot be opened is no reason to fail while another one is open.
          if (tried === TRIES || this.#opened.length === 0 || !isKind(failure, "unreachable", "refused")) throw failure;
        }
      }
    } finally {
      this.#events.onRead?.(this.name, (performance.now() - begun) / 1000, hasFailed);
    }
  }

  async #send<Result>(read: (session: Session) => Promise<Result>): Promise<Result> {
    const sessions = this.#sessions;
    for (const [index, { isClosed }] of sessions.entries()) if (isClosed) sessions[index] = this.#open();
    const usable = this.#isPaused && this.#opened.length > 0 ? this.#opened : sessions;
    const session = usable.reduce((one, other) => (other.inFlight < one.inFlight ? other : one));
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = { session, sentAt: this.#steps, reject };
    this.#waiting.add(waiting);
    session.inFlight++;
    this.#timer ??= setTimeout(this.#watch, this.#step).unref();
    try {
      const result = await Promise.race([read(session), promise]);
      session.lastAnswerAt = this.#steps;
      return result;
    } catch (error) {
      const isAnswer = !isLostRead(error) && error !== this.#silent;
      // A session that the server refuses was never open.
      if (isAnswer && !isKind(storeError(error, this.#options), "unreachable", "refused")) session.lastAnswerAt = this.#steps;
      // The next session may lead to another server. The client does not report the end of one that was lost before it was ready.
      if (isKind(error, "other-chain") || isLostRead(error)) this.#end(session);
      throw error;
    } finally {
      session.inFlight--;
      this.#waiting.delete(waiting);
    }
  }

  get #isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  /** Sessions with an answer. */
  get #opened(): readonly Session[] {
    return this.#sessions.filter(({ isClosed, lastAnswerAt }) => !isClosed && lastAnswerAt >= 0);
  }

  #open(): Session {
    const opened: Session = new Session(this.#state, () => this.#lose(opened));
    return opened;
  }

  #lose(session: Session): void {
    session.isClosed = true;
    for (const waiting of this.#waiting) if (waiting.session === session) waiting.reject(lostConnection());
  }

  /** One timer for all reads. Answers that have arrived are read before a step counts. */
  readonly #watch = (): void => {
    setImmediate(() => {
      this.#timer = undefined;
      this.#steps++;
      const [oldest] = this.#waiting;
      if (oldest === undefined || this.#isClosed) return;
      const { session, sentAt } = oldest;
      const isLate = Math.max(sentAt, session.lastAnswerAt) + SILENT_AFTER <= this.#steps;
      // One session alone may have been lost without notice.
      const isAlive = this.#sessions.some(({ lastAnswerAt }) => lastAnswerAt > this.#steps - SILENT_AFTER / 2);
      // While new sessions cannot be opened, reads use those that are open.
      if (isLate && isAlive && session.lastAnswerAt < 0) this.#pausedUntil = performance.now() + SILENT_AFTER * this.#step;
      if (isLate && isAlive) this.#end(session);
      else if (isLate) this.#becomeSilent();
      this.#timer = setTimeout(this.#watch, this.#step).unref();
    });
  };

  #becomeSilent(): PostgresStoreError {
    const error = new PostgresStoreError("slow", `${this.#place} does not answer`);
    for (const { reject } of this.#waiting) reject(error);
    for (const one of this.#sessions) this.#end(one);
    if (this.#silent === undefined) void this.#probe();
    this.#silent = error;
    return error;
  }

  #end(session: Session): void {
    this.#lose(session);
    session.end(0).catch(() => {});
  }

  /** The first time at once: the process may have been busy, or the sessions lost without notice. */
  async #probe(): Promise<void> {
    const isSilent = (): Promise<boolean> =>
      this.#send((session) => session.chain()).then(
        () => false,
        (error: unknown) => error === this.#silent || isLostRead(error) || isConnectTimeout(error),
      );
    await nextTick();
    while ((await isSilent()) && !this.#isClosed) await sleep(PROBE_INTERVAL, undefined, { ref: false });
    this.#silent = undefined;
  }

  #failure(cause: unknown): unknown {
    if (isConnectTimeout(cause) && this.#opened.length === 0) return this.#becomeSilent();
    const error = storeError(cause, this.#options);
    // The database at this address has changed since the head was read.
    if (isKind(error, "behind", "other-chain")) this.#head = undefined;
    if (isKind(error, "other-chain")) this.#change("other-chain", error);
    if (isKind(error, "unreachable", "refused")) {
      // The client would reject the statements that wait one by one, each after another attempt to connect.
      this.#pausedUntil = performance.now() + PAUSE;
      if (this.#opened.length === 0) for (const { reject } of this.#waiting) reject(error);
    }
    return error;
  }

  #change(state: DatabaseState, reason?: unknown): void {
    if (state === this.#database) return;
    this.#database = state;
    this.#events.onChange?.(this.status, messageOf(reason));
  }

  get #place(): string {
    return `PostgreSQL at ${placeOf(this.#options)}`;
  }
}

function messageOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined;
}

function textOf(parameter: Parameter): string {
  return parameter instanceof Uint8Array
    ? Buffer.from(parameter.buffer, parameter.byteOffset, parameter.byteLength).toString("latin1")
    : String(parameter);
}
