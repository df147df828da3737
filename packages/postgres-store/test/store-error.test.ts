import { expect, test } from "vitest";
import { isRetryable, storeError } from "../src/database/store-error.ts";
import { PostgresStoreError } from "../src/index.ts";

const connection = { url: "postgres://me:secret@db/chain" };

function databaseError(code: string, message: string = "no"): Error {
  return Object.assign(new Error(message), { code, query: "SELECT secret", parameters: ["secret"] });
}

test.each([
  ["ECONNREFUSED", "unreachable"],
  ["CONNECTION_CLOSED", "unreachable"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "unreachable"],
  ["57P03", "unreachable"],
  ["28P01", "refused"],
  ["28000", "refused"],
  ["3D000", "schema"],
  ["53300", "unreachable"],
  ["57014", "slow"],
  ["40001", "slow"],
  ["53100", "full"],
  ["25006", "full"],
  ["42P01", "schema"],
  ["42501", "schema"],
  ["XX001", "damaged"],
] as const)("%s is of kind %s", (code, kind) => {
  const error = storeError(databaseError(code, "line one\n  line two"), connection);
  expect(error).toBeInstanceOf(PostgresStoreError);
  expect(error).toMatchObject({ kind, message: `PostgreSQL at postgres://me@db/chain: line one line two (${code})` });
  expect(JSON.stringify(error)).not.toContain("secret");
});

test("the text of a database is cut, and has no control characters", () => {
  const error = storeError(databaseError("42P01", `\u001b[2J${"x".repeat(1 << 20)}`), connection);
  expect((error as Error).message).toMatch(/: \?\[2Jx{95}…x{100} \(42P01\)$/);
});

test("a code in the message is not repeated", () => {
  const error = storeError(databaseError("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1"), connection);
  expect(error).toMatchObject({ message: "PostgreSQL at postgres://me@db/chain: connect ECONNREFUSED 127.0.0.1:1" });
});

test("programming errors and PostgresStoreErrors stay unchanged", () => {
  const outOfRange = captured(() => Buffer.alloc(4).writeInt32BE(2 ** 40));
  expect(outOfRange).toMatchObject({ code: "ERR_OUT_OF_RANGE" });
  for (const error of [outOfRange, new TypeError("no"), new PostgresStoreError("lost", "no")]) {
    expect(storeError(error, connection)).toBe(error);
    expect(isRetryable(error)).toBe(false);
  }
});

test("lost connections and serialization failures are retryable, other errors are not", () => {
  for (const code of ["40001", "40P01", "57P01", "08006", "ECONNRESET"])
    expect(isRetryable(databaseError(code)), code).toBe(true);
  for (const code of ["23505", "53100", "57014", "42P01"]) expect(isRetryable(databaseError(code)), code).toBe(false);
});

function captured(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
