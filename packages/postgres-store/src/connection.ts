/**
 * The connection of a process to one database: opens its sessions, checks what they lead to, retries reads, shares equal ones, and decides
 * whether the database is read from. A session is one TCP connection with pipelined statements.
 *
 * A read is sent at once, or fails at once:
 *
 *   open         Statements are sent on the session with the fewest reads. A read whose session was lost is sent again, on another one.
 *     → unreachable   when no session could be opened.
 *     → silent        when reads waited for SILENCE without any answer. All reads that wait fail, and the sessions are discarded.
 *   unreachable  Reads fail. → open after PAUSE: the next read opens a session.
 *   silent       Reads fail, except a probe on a new session. → open when it is answered; → unreachable when it is refused.
 *   closed       Reads fail.
 *
 * Whether the database is read from follows its checks. One reads the head, every 100 ms (see `Databases`):
 *
 *   connecting   No check was answered yet. → ready
 *   ready        It is in service.
 *     → behind        when it has lacked a block of the primary for OUT_AFTER. → ready when it has it.
 *     → failing       when no check was answered for OUT_AFTER. → ready with the next answer.
 *     → foreign       when a session leads to another chain. → ready when one leads to the right chain again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { connectionTimes, type Parameter, placeOf } from "./client.ts";
import { type Rows, Session, type SessionState } from "./reading/session.ts";
import { codeOf, storeError } from "./store-error.ts";
import { type IndexedChain, type IndexHead, type PostgresConnection, PostgresStoreError } from "./types.ts";

export type DatabaseState = "connecting" | "ready" | "behind" | "failing" | "foreign";

/** The state of a database in one process. */
export interface DatabaseStatus {
  /** `primary`, `replica 1`, `archive`: names no host. */
  readonly name: string;
  readonly state: DatabaseState;
  /** Its newest masterchain block. */
  readonly seqno?: number;
  /** Seconds for which it lacks a block that the primary has. */
  readonly lag: number;
  /** Reads that wait for an answer. */
  readonly inFlight: number;
}

/** What the operator learns of a database. */
export interface DatabaseEvents {
  /** Called when the state changes; `reason` may name a host, for the log. */
  readonly onChange?: (database: DatabaseStatus, reason: string | undefined) => void;
  /** Called after each read. */
  readonly onRead?: (database: string, seconds: number, hasFailed: boolean) => void;
}

/** Milliseconds. */
const PAUSE = 50;
const PROBE_INTERVAL = 200;
const OUT_AFTER = 2_000;
const SESSIONS = 2;
/** Of a read whose session was lost: the other one may be lost too, which is seen when it is used. */
const TRIES = 3;
/** Errors of a session that was open. The statement can be sent again, since it only reads. */
const LOST = new Set(["CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "57P01", "57P02"]);

interface Waiting {
  readonly session: OpenSession;
  /** Of `performance.now()`. */
  readonly sentAt: number;
  readonly reject: (reason: unknown) => void;
}

interface OpenSession {
  readonly session: Session;
  isClosed: boolean;
  inFlight: number;
  /** Of `performance.now()`. */
  heardAt: number;
}

export class Connection {
  readonly name: string;
  readonly #options: PostgresConnection;
  readonly #events: DatabaseEvents;
  readonly #state: SessionState;
  readonly #silence: number;
  #sessions: OpenSession[] = [];
  /** In the order in which they were sent. */
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  readonly #shared = new Map<string, Promise<Rows>>();
  /** Why reads fail at once until a probe is answered. */
  #silent: PostgresStoreError | undefined;
  #pausedUntil = 0;
  #isClosed = false;
  #database: DatabaseState = "connecting";
  #head: IndexHead | undefined;
  /** Of the last check that was answered. */
  #checkedAt = 0;
  #behindSince: number | undefined;

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
    this.#silence = connectionTimes(options, "reader").silence;
    this.#sessions = Array.from({ length: options.connections ?? SESSIONS }, () => this.#open());
  }

  /** Whether checks say that it can be read from. */
  get isInService(): boolean {
    return this.#database === "ready";
  }

  /** The newest head that it has answered with; undefined if it has not answered since it held another chain, or lacked a step. */
  get head(): IndexHead | undefined {
    return this.#head;
  }

  /** That of the head, or -1. */
  get seqno(): number {
    return this.#head?.block.id.seqno ?? -1;
  }

  get status(): DatabaseStatus {
    const lag = this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1000;
    const inFlight = this.#waiting.size;
    return { name: this.name, state: this.#database, lag, inFlight, ...(this.#head && { seqno: this.seqno }) };
  }

  /** The rows of a statement, of a database that has step `at`. Equal ones are read once at the same time. @throws PostgresStoreError. */
  rows(statement: string, parameters: readonly Parameter[], at: number, signal?: AbortSignal): Promise<Rows> {
    signal?.throwIfAborted();
    const key = `${at} ${parameters.map(textOf).join(" ")} ${statement}`;
    const same = this.#shared.get(key);
    if (same !== undefined) return same;
    const rows = this.#run((session) => session.rows(statement, parameters, at)).finally(() => this.#shared.delete(key));
    this.#shared.set(key, rows);
    return rows;
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
    if (isKind(problem, "foreign")) return;
    if (problem === undefined) this.#change(now - (this.#behindSince ?? now) > OUT_AFTER ? "behind" : "ready");
    else if (now - this.#checkedAt > OUT_AFTER) this.#change("failing", problem);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#sessions.map(({ session }) => session.end(1)));
  }

  async #run<Result>(read: (session: Session) => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    let hasFailed = true;
    try {
      for (let tried = 1; ; tried++) {
        if (this.#silent !== undefined) throw this.#silent;
        if (this.#isClosed || performance.now() < this.#pausedUntil)
          throw new PostgresStoreError("unreachable", `${this.#place}: no answer`);
        try {
          const result = await this.#send(read);
          hasFailed = false;
          return result;
        } catch (error) {
          if (tried === TRIES || !isLost(error)) throw this.#failure(error);
        }
      }
    } finally {
      this.#events.onRead?.(this.name, (performance.now() - begun) / 1000, hasFailed);
    }
  }

  async #send<Result>(read: (session: Session) => Promise<Result>): Promise<Result> {
    const sessions = this.#sessions;
    for (const [index, { isClosed }] of sessions.entries()) if (isClosed) sessions[index] = this.#open();
    const session = sessions.reduce((one, other) => (other.inFlight < one.inFlight ? other : one));
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = { session, sentAt: performance.now(), reject };
    this.#waiting.add(waiting);
    session.inFlight++;
    this.#timer ??= setTimeout(this.#watch, this.#silence).unref();
    try {
      const result = await Promise.race([read(session.session), promise]);
      session.heardAt = performance.now();
      return result;
    } catch (error) {
      if (!isLost(error) && error !== this.#silent) session.heardAt = performance.now();
      // The next session may lead to another server.
      if (isKind(error, "foreign")) this.#end(session);
      throw error;
    } finally {
      session.inFlight--;
      this.#waiting.delete(waiting);
    }
  }

  #open(): OpenSession {
    const opened: OpenSession = {
      session: new Session(this.#state, () => this.#lose(opened)),
      isClosed: false,
      inFlight: 0,
      heardAt: 0,
    };
    return opened;
  }

  #lose(session: OpenSession): void {
    session.isClosed = true;
    for (const waiting of this.#waiting) if (waiting.session === session) waiting.reject(lost());
  }

  /** One timer for all reads. After a busy second, answers that have arrived are read before a session counts as silent. */
  readonly #watch = (): void => {
    setImmediate(() => {
      this.#timer = undefined;
      const [oldest] = this.#waiting;
      if (oldest === undefined || this.#isClosed) return;
      const { session, sentAt } = oldest;
      const left = Math.max(sentAt, session.heardAt) + this.#silence - performance.now();
      if (left <= 0) this.#discard(oldest);
      this.#timer = setTimeout(this.#watch, Math.max(left, PAUSE)).unref();
    });
  };

  /** Replaces a session that does not answer; all of them if none has answered meanwhile. */
  #discard({ session, sentAt }: Waiting): void {
    if (this.#sessions.some(({ heardAt }) => heardAt > sentAt)) {
      this.#end(session);
      return;
    }
    const error = new PostgresStoreError("slow", `${this.#place} did not answer in ${this.#silence} ms`);
    for (const { reject } of this.#waiting) reject(error);
    for (const one of this.#sessions) this.#end(one);
    if (this.#silent === undefined) void this.#probe();
    this.#silent = error;
  }

  #end(session: OpenSession): void {
    this.#lose(session);
    session.session.end(0).catch(() => {});
  }

  async #probe(): Promise<void> {
    for (let isSilent = true; isSilent && !this.#isClosed; ) {
      await sleep(PROBE_INTERVAL, undefined, { ref: false });
      isSilent = await this.#send((session) => session.chain()).then(
        () => false,
        (error: unknown) => error === this.#silent || isLost(error),
      );
    }
    this.#silent = undefined;
  }

  #failure(cause: unknown): unknown {
    const error = storeError(cause, this.#options);
    // The database at this address is another one than that of the head.
    if (isKind(error, "behind", "foreign")) this.#head = undefined;
    if (isKind(error, "foreign")) this.#change("foreign", error);
    if (isKind(error, "unreachable", "refused")) {
      // The client would reject the statements that wait one by one, each after another attempt to connect.
      this.#pausedUntil = performance.now() + PAUSE;
      for (const { reject } of this.#waiting) reject(error);
    }
    return error;
  }

  #change(state: DatabaseState, reason?: unknown): void {
    if (state === this.#database) return;
    this.#database = state;
    this.#events.onChange?.(this.status, reason instanceof Error ? reason.message : undefined);
  }

  get #place(): string {
    return `PostgreSQL at ${placeOf(this.#options)}`;
  }
}

/** Whether an error is one of the store, of one of some kinds. */
export function isKind(error: unknown, ...kinds: readonly PostgresStoreError["kind"][]): boolean {
  return error instanceof PostgresStoreError && kinds.includes(error.kind);
}

function isLost(error: unknown): boolean {
  return LOST.has(codeOf(error) ?? "");
}

function lost(): Error {
  return Object.assign(new Error("the connection was lost"), { code: "CONNECTION_CLOSED" });
}

function textOf(parameter: Parameter): string {
  return parameter instanceof Uint8Array
    ? Buffer.from(parameter.buffer, parameter.byteOffset, parameter.byteLength).toString("latin1")
    : String(parameter);
}
