/** Opens the envelope of an answer. */
import { apiError, type CallPoint, ParseError, ResponseValidationError } from "./errors.ts";
import type { Answer } from "./http.ts";
import { retryAfterMs } from "./retry.ts";

/** Judges a success against the contract: what is wrong, or nothing. `@chain-query/client/validate` has one. */
export type Validate = (operation: string, envelope: unknown) => readonly string[];

/** A success, opened. */
export interface Opened {
  result: unknown;
  extra: string | undefined;
  envelope: unknown;
}

/** Returns the result of a success; whatever else came is thrown as the error that says what it is. */
export function openEnvelope(
  { response, body }: Answer,
  point: CallPoint,
  { validate, redact, hint }: { validate: Validate | undefined; redact: (text: string) => string; hint: string },
): Opened {
  const { status, headers, ok } = response;
  const envelope = typeof body === "string" ? parsed(body) : body;
  if (typeof envelope !== "object" || envelope === null || Array.isArray(envelope)) {
    throw new ParseError(
      `the answer is no envelope: ${redact(String(body ?? "")).slice(0, 200) || "an empty body"}`,
      point,
      status,
    );
  }
  const { ok: succeeded, result, error, "@extra": extra } = envelope as Record<string, unknown>;
  const told = { extra: typeof extra === "string" ? extra : undefined, envelope };
  if (ok && succeeded === true && result !== undefined) {
    const issues = validate?.(point.operation, envelope) ?? [];
    if (issues.length > 0) throw new ResponseValidationError(issues, point);
    return { result, ...told };
  }
  if (ok && succeeded !== false) {
    throw new ParseError(`the answer is no envelope: ${redact(JSON.stringify(envelope)).slice(0, 200)}`, point, status);
  }
  const message = redact(textOf(error) ?? textOf(result) ?? `HTTP ${status}`);
  throw apiError(status === 500 ? message + hint : message, point, {
    status,
    headers,
    error,
    retryAfterMs: retryAfterMs(headers),
    ...told,
  });
}

/** A failure's text is `error`, `error.message`, or `result`, where some deployments put that of a 429. */
function textOf(member: unknown): string | undefined {
  const text = typeof member === "object" && member !== null && "message" in member ? member.message : member;
  return typeof text === "string" && text !== "" ? text : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
