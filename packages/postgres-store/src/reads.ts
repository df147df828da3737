/** Runs the reader's statements: retries after a lost connection, fails fast while the database cannot be reached, and never hangs. */
import { setImmediate as afterInput } from "node:timers/promises";
import { connect, type Database, type Parameter, placeOf } from "./connection.ts";
import { requireSchema } from "./migrate.ts";
import { codeOf, storeError } from "./store-error.ts";
import { type PostgresConnection, PostgresStoreError } from "./types.ts";

/** Milliseconds that a statement may take besides its own timeout: to connect, and to wait for others of the pipeline. */
const GRACE = 600;
const STATEMENT_TIMEOUT = 400;
/** Milliseconds without another attempt after one that found no server. */
const PAUSE = 50;

/** Errors of a connection that was open. The statement can be sent again, since it only reads. */
const LOST = new Set(["CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "57P01", "57P02"]);

const NO_CONNECTION: ReadonlySet<PostgresStoreError["kind"]> = new Set(["unreachable", "refused"]);

/** Statements whose rows have one column: a record as base64. */
export class Reads {
  readonly #connection: PostgresConnection;
  readonly #limit: number;
  #sql: Database;
  /** Of `performance.now()`; undefined while there is no server. */
  #heardAt: number | undefined;
  #pausedUntil = 0;
  /** Reject the statements that wait. */
  readonly #waiting = new Set<(reason: PostgresStoreError) => void>();
  #isClosed = false;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
    this.#limit = (connection.statementTimeout ?? STATEMENT_TIMEOUT) + GRACE;
    this.#sql = connect(connection, "reader");
  }

  /** The records of a statement's rows. @throws PostgresStoreError. */
  async records(statement: string, parameters: readonly Parameter[]): Promise<Buffer[]> {
    const texts = await this.texts(statement, parameters);
    return texts.map((text) => Buffer.from(text, "base64"));
  }

  /** The texts of a statement's rows. @throws PostgresStoreError. */
  async texts(statement: string, parameters: readonly Parameter[]): Promise<string[]> {
    const rows = await this.#run((sql) => sql.unsafe(statement, [...parameters], { prepare: true }).values());
    return rows.map((row) => String(row[0]));
  }

  /** @throws PostgresStoreError if the database has no index, or one of another version. */
  async requireSchema(): Promise<void> {
    await this.#run(requireSchema);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sql.end({ timeout: 1 });
  }

  async #run<Result>(read: (sql: Database) => Promise<Result>): Promise<Result> {
    if (this.#isClosed || performance.now() < this.#pausedUntil) throw this.#unreachable();
    try {
      return await this.#inTime(read).catch((error: unknown) => {
        if (!LOST.has(codeOf(error) ?? "")) throw error;
        return this.#inTime(read);
      });
    } catch (error) {
      throw this.#failure(error);
    }
  }

  async #inTime<Result>(read: (sql: Database) => Promise<Result>): Promise<Result> {
    const sentAt = performance.now();
    const sql = this.#sql;
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => void this.#onLate(sql, sentAt).then(reject), this.#limit);
    this.#waiting.add(reject);
    try {
      const result = await Promise.race([read(sql), stopped]);
      this.#heardAt = performance.now();
      return result;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(reject);
    }
  }

  /** A server that has answered nothing meanwhile does not hold the connections of later statements. */
  async #onLate(sql: Database, sentAt: number): Promise<PostgresStoreError> {
    // After a long turn of the event loop, answers may have arrived that are not read yet.
    await afterInput();
    const heardAt = this.#heardAt;
    if (heardAt === undefined) return this.#unreachable();
    if (heardAt < sentAt && sql === this.#sql && !this.#isClosed) {
      this.#sql = connect(this.#connection, "reader");
      // The client would leave connections behind that it is about to open; these are open.
      sql.end({ timeout: 0 }).catch(() => {});
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
