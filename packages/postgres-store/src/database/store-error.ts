import { shortText } from "@chain-query/format/error";
import { type PostgresConnection, PostgresStoreError } from "../types.ts";
import { placeOf } from "./client.ts";

type Kind = PostgresStoreError["kind"];

/** SQLSTATE codes and codes of sockets; the first two characters of an SQLSTATE are its class. */
const KINDS: Readonly<Record<string, Kind>> = {
  "57014": "slow",
  "55P03": "slow",
  "40": "slow",
  "23514": "slow",
  "53100": "full",
  "25006": "full",
  "58030": "full",
  "28": "refused",
  "3D000": "schema",
  "42": "schema",
  "3F": "schema",
  XX: "damaged",
};

/** Replacements of PostgreSQL's messages that contain a row. */
const MESSAGES: Readonly<Record<string, string>> = {
  "23514":
    "no partition takes the step: one is being closed below it, or its closing was killed, until the writer is opened again",
};

/** Serialization failures, deadlocks and lost connections: a retry may succeed. */
const RETRYABLE = new Set(["40001", "40P01", "57P01", "57P02", "57P03"]);

/** Of a connection that was open. A statement that only reads can be sent again. */
const LOST_READS = new Set(["CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "57P01", "57P02"]);

/** PostgreSQL has ended a connection whose transaction was idle. */
const IDLE_IN_TRANSACTION = "25P03";

/** Five characters with a digit, so not `EPIPE`. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** The code of an error of the database or its connection; undefined for programming errors, although Node gives these a code too. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof RangeError || error instanceof TypeError) return undefined;
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether the connection was lost. The last statement may or may not have been executed. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  return (
    code !== undefined &&
    (code.startsWith("08") || code.startsWith("57P0") || code === IDLE_IN_TRANSACTION || !SQLSTATE.test(code))
  );
}

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error) ?? "") || isLostConnection(error);
}

/** Whether a read was lost with its connection. */
export function isLostRead(error: unknown): boolean {
  return LOST_READS.has(codeOf(error) ?? "");
}

/** The error of a lost connection, with the code of the client's own. */
export function lostConnection(): Error {
  return Object.assign(new Error("the connection was lost"), { code: "CONNECTION_CLOSED" });
}

/** Whether the client did not connect in time. */
export function isConnectTimeout(error: unknown): boolean {
  return codeOf(error) === "CONNECT_TIMEOUT";
}

/** Whether an error is a PostgresStoreError of one of some kinds. */
export function isKind(error: unknown, ...kinds: readonly Kind[]): boolean {
  return error instanceof PostgresStoreError && kinds.includes(error.kind);
}

/** Converts an error of the client library to a `PostgresStoreError` without statements, parameters and passwords. */
export function storeError(cause: unknown, connection: PostgresConnection): unknown {
  const code = codeOf(cause);
  if (!(cause instanceof Error) || cause instanceof PostgresStoreError || code === undefined) return cause;
  const kind = KINDS[code] ?? (isLostConnection(cause) ? undefined : KINDS[code.slice(0, 2)]) ?? "unreachable";
  const message = MESSAGES[code] ?? shortText(cause.message.replace(/\s+/g, " "));
  const reason = message.includes(code) ? message : `${message} (${code})`;
  return new PostgresStoreError(kind, `PostgreSQL at ${placeOf(connection)}: ${reason}`);
}

/** Makes functions that throw a `PostgresStoreError`. */
export function mapErrors(
  connection: PostgresConnection,
): <A extends readonly unknown[], T>(run: (...args: A) => Promise<T>) => (...args: A) => Promise<T> {
  return (run) =>
    async (...args) => {
      try {
        return await run(...args);
      } catch (cause) {
        throw storeError(cause, connection);
      }
    };
}
