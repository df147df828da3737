/** Opens the envelope of an answer. */
import { ApiError, ParseError } from "./errors.ts";
import type { Answer } from "./http.ts";

/** Returns the result of a success; whatever else came is thrown as the error that says what it is. */
export function openEnvelope(operation: string, { status, body }: Answer): unknown {
  if (typeof body !== "object" || body === null) {
    throw new ParseError(operation, status, `the answer is not JSON: ${String(body ?? "").slice(0, 200)}`);
  }
  const success = status >= 200 && status < 300;
  if ("ok" in body && body.ok === true && success && "result" in body) return body.result;
  if (("ok" in body && body.ok === false) || !success) throw new ApiError(operation, status, body);
  throw new ParseError(operation, status, `the answer is not an envelope: ${JSON.stringify(body).slice(0, 200)}`);
}
