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

/** Statements whose rows have one column: a record as base64. */
export class Reads {
  readonly #connection: PostgresConnection;
  readonly #limit: number;
  #sql: Database;
  /** Of `performance.now()`. */
  #heardAt = 0;
  #pausedUntil = 0;
  #inFlight = 0;
  #isClosed = false;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
    this.#limit = (connection.statementTimeout ?? STATEMENT_TIMEOUT) + GRACE;
    this.#sql = connect(connection, "reader");
  }

  /** Statements that wait for an answer. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** The records of a statement's rows. @throws PostgresStoreError. */
  async records(statement: string, parameters: readonly Parameter[]): Promise<Buffer[]> {
    const texts = await this.texts(statement, parameters);
    return texts.map((text) => Buffer.from(text, "base64"));
  }

  /** The texts of a statement's rows. @throws PostgresStoreError. */
  async texts(statement: string, parameters: readonly Parameter[]): Promise<string[]> {
    if (this.#isClosed || performance.now() < this.#pausedUntil) throw this.#unreachable();
    this.#inFlight++;
    try {
      return await this.#sent(statement, parameters).catch((error: unknown) => {
        if (!LOST.has(codeOf(error) ?? "")) throw error;
        return this.#sent(statement, parameters);
      });
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#inFlight--;
    }
  }

  /** @throws PostgresStoreError if the database has no index, or one of another version. */
  async requireSchema(): Promise<void> {
    await requireSchema(this.#sql).catch((error: unknown) => {
      throw this.#failure(error);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sql.end({ timeout: 1 });
  }

  async #sent(statement: string, parameters: readonly Parameter[]): Promise<string[]> {
    const sentAt = performance.now();
    const sql = this.#sql;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => void this.#onLate(sql, sentAt).then(reject), this.#limit);
    try {
      const running = sql.unsafe(statement, [...parameters] as never[], { prepare: true }).values();
      const rows = await Promise.race([running, late]);
      this.#heardAt = performance.now();
      return rows.map((row) => String(row[0]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** A server that has answered nothing meanwhile does not hold the connections of later statements. */
  async #onLate(sql: Database, sentAt: number): Promise<PostgresStoreError> {
    // After a long turn of the event loop, answers may have arrived that are not read yet.
    await afterInput();
    if (this.#heardAt > sentAt) return new PostgresStoreError("slow", `${this.#place} did not answer in ${this.#limit} ms`);
    this.#reconnect(sql);
    return this.#unreachable();
  }

  /** Opens other connections with the next statement. The statements that wait for the old ones are rejected. */
  #reconnect(sql: Database): void {
    if (sql !== this.#sql || this.#isClosed) return;
    this.#pausedUntil = performance.now() + PAUSE;
    this.#sql = connect(this.#connection, "reader");
    sql.end({ timeout: 0 }).catch(() => {});
  }

  #failure(cause: unknown): unknown {
    const error = storeError(cause, this.#connection);
    // Statements that wait for a connection would be rejected one by one, each after another attempt to connect.
    if (error instanceof PostgresStoreError && error.kind === "unreachable") this.#reconnect(this.#sql);
    return error;
  }

  #unreachable(): PostgresStoreError {
    return new PostgresStoreError("unreachable", `${this.#place}: no answer`);
  }

  get #place(): string {
    return `PostgreSQL at ${placeOf(this.#connection)}`;
  }
}
