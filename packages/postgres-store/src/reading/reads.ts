/** Runs the reader's statements: retries after a lost connection, fails fast while the database cannot be reached, and never hangs. */
import { setImmediate as afterInput } from "node:timers/promises";
import { type Parameter, placeOf } from "../connection.ts";
import { storeError } from "../store-error.ts";
import { type IndexedChain, type IndexHead, type PostgresConnection, PostgresStoreError } from "../types.ts";
import { CheckedConnection, isLost, type ReaderState } from "./checked-connection.ts";

/** Milliseconds that a statement may take besides its own timeout: to connect, and to wait for others of the pipeline. */
const GRACE = 600;
const STATEMENT_TIMEOUT = 400;
/** Milliseconds without another attempt after one that found no server. */
const PAUSE = 50;

const CONNECTIONS = 2;
/** Of a statement that was lost with its connection: the other connection may be lost too, which is seen when it is used. */
const TRIES = 3;

const NO_CONNECTION: ReadonlySet<PostgresStoreError["kind"]> = new Set(["unreachable", "refused"]);

/** Statements as of a head. */
export class Reads {
  readonly #connection: PostgresConnection;
  readonly #limit: number;
  readonly #state: ReaderState;
  #open: CheckedConnection[];
  /** Of `performance.now()`; undefined while there is no server. */
  #heardAt: number | undefined;
  #pausedUntil = 0;
  /** Reject the statements that wait. */
  readonly #waiting = new Set<(reason: PostgresStoreError) => void>();
  #isClosed = false;

  /** @param zeroState - As for `openPostgresReader`. */
  constructor(connection: PostgresConnection, zeroState: Uint8Array | undefined) {
    this.#connection = connection;
    this.#state = { connection, zeroState, newest: undefined };
    this.#limit = (connection.statementTimeout ?? STATEMENT_TIMEOUT) + GRACE;
    this.#open = this.#connect();
  }

  /** The rows of a statement, of a database that has step `at`. @throws PostgresStoreError. */
  rows(statement: string, parameters: readonly Parameter[], at: number): Promise<readonly (readonly unknown[])[]> {
    return this.#run((connection) => connection.rows(statement, parameters, at));
  }

  /** The records of a statement whose rows are records as base64. */
  async records(statement: string, parameters: readonly Parameter[], at: number): Promise<Buffer[]> {
    const rows = await this.rows(statement, parameters, at);
    return rows.map(([text]) => Buffer.from(String(text), "base64"));
  }

  /** @throws PostgresStoreError if the database has no index, or one of another version. */
  chain(): Promise<IndexedChain> {
    return this.#run((connection) => connection.chain());
  }

  head(): Promise<IndexHead> {
    return this.#run((connection) => connection.head());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#open.map((connection) => connection.end(1)));
  }

  #connect(): CheckedConnection[] {
    const { connections = CONNECTIONS } = this.#connection;
    return Array.from({ length: connections }, () => new CheckedConnection(this.#state));
  }

  async #run<Result>(read: (connection: CheckedConnection) => Promise<Result>): Promise<Result> {
    if (this.#isClosed || performance.now() < this.#pausedUntil) throw this.#unreachable();
    const until = performance.now() + this.#limit;
    for (let tried = 1; ; tried++) {
      try {
        return await this.#inTime(read, until);
      } catch (error) {
        if (tried === TRIES || !isLost(error)) throw this.#failure(error);
      }
    }
  }

  async #inTime<Result>(read: (connection: CheckedConnection) => Promise<Result>, until: number): Promise<Result> {
    const sentAt = performance.now();
    const open = this.#open;
    for (const [index, { isClosed }] of open.entries()) if (isClosed) open[index] = new CheckedConnection(this.#state);
    const idlest = open.reduce((one, other) => (other.inFlight < one.inFlight ? other : one));
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => void this.#onLate(open, sentAt).then(reject), until - sentAt);
    this.#waiting.add(reject);
    try {
      const result = await Promise.race([read(idlest), stopped]);
      this.#heardAt = performance.now();
      return result;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(reject);
    }
  }

  /** A server that has answered nothing meanwhile does not hold the connections of later statements. */
  async #onLate(open: readonly CheckedConnection[], sentAt: number): Promise<PostgresStoreError> {
    // After a long turn of the event loop, answers may have arrived that are not read yet.
    await afterInput();
    const heardAt = this.#heardAt;
    if (heardAt === undefined) return this.#unreachable();
    if (heardAt < sentAt && open === this.#open && !this.#isClosed) {
      this.#open = this.#connect();
      // The client would leave connections behind that it is about to open; these are open.
      for (const connection of open) connection.end(0).catch(() => {});
    }
    return new PostgresStoreError("slow", `${this.#place} did not answer in ${this.#limit} ms`);
  }

  #failure(cause: unknown): unknown {
    const error = storeError(cause, this.#connection);
    if (!(error instanceof PostgresStoreError) || !NO_CONNECTION.has(error.kind)) return error;
    // The client would reject the statements that wait one by one, each after another attempt to connect.
    this.#heardAt = undefined;
    this.#pausedUntil = performance.now() + PAUSE;
    for (const reject of this.#waiting) reject(error);
    return error;
  }

  #unreachable(): PostgresStoreError {
    return new PostgresStoreError("unreachable", `${this.#place}: no answer`);
  }

  get #place(): string {
    return `PostgreSQL at ${placeOf(this.#connection)}`;
  }
}
