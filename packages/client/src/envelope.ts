/** Opens the envelope of an answer. */
import { type CallPoint, failureClass, ParseError, ResponseValidationError } from "./errors.ts";
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
  { response: { status, headers, ok }, body }: Answer,
  point: CallPoint,
  validate: Validate | undefined,
  redact: (text: string) => string,
  hint: string,
): Opened {
  const envelope = parsed(body);
  const { ok: succeeded, result, error, code, "@extra": text } = Object(envelope) as Record<string, unknown>;
  const extra = typeof text === "string" ? text : undefined;
  if (ok && succeeded === true && result !== undefined) {
    const issues = validate?.(point.operation, envelope) ?? [];
    if (issues.length > 0) throw new ResponseValidationError(`the answer breaks the contract: ${issues[0]}`, point, { issues });
    return { result, extra, envelope };
  }
  if (typeof envelope !== "object" || Array.isArray(envelope) || (ok && succeeded !== false)) {
    const start = redact(typeof body === "string" ? body : (JSON.stringify(body) ?? "")).slice(0, 200);
    throw new ParseError(`HTTP ${status}, and the answer is no envelope: ${start || "it is empty"}`, point, { status });
  }
  const Failed = failureClass(status, code);
  const message = redact(textOf(error) ?? textOf(result) ?? `HTTP ${status}`);
  throw new Failed(message + (status === 500 ? hint : ""), point, {
    status,
    headers,
    error,
    envelope,
    extra,
    retryAfterMs: retryAfterMs(headers),
  });
}

/** A failure's text is `error`, `error.message`, or `result`, where some deployments put that of a 429. */
function textOf(member: unknown): string | undefined {
  const text = Object(member).message ?? member;
  return typeof text === "string" && text ? text : undefined;
}

/** openapi-fetch has parsed the body of a failure already, where it is JSON. */
function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body ?? undefined;
  try {
    return JSON.parse(body) ?? undefined;
  } catch {
    return undefined;
  }
}
