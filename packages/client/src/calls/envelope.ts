/** Reads the envelope of a response. */
import { type CallPoint, type ChainQueryError, failureClass, ParseError, ResponseValidationError } from "../errors.ts";
import { redact } from "../transport/key.ts";
import type { Received } from "../transport/settings.ts";
import { retryAfterMs } from "../transport/timing.ts";
import type { Success } from "./query-promise.ts";

/**
 * Checks a success against the contract and returns one line for each problem. `@chain-query/client/validate` exports one.
 *
 * @example
 * ```ts
 * const blocksOnly: Validate = (operation, envelope) => (operation === "lookupBlock" ? validate(operation, envelope) : []);
 * const chain = createClient({ baseUrl, validate: blocksOnly });
 * ```
 */
export type Validate = (operation: string, envelope: unknown) => readonly string[];

/** The members of a success. */
export interface Opened {
  result: unknown;
  extra: string | undefined;
  envelope: Success<unknown>;
}

/** Returns the result of a success, and throws the matching error for any other response. */
export function openEnvelope(received: Received, point: CallPoint, validate: Validate | undefined, hint: string): Opened {
  const { response, text, key } = received;
  const envelope = parsed(text);
  const { ok, result } = Object(envelope);
  if (!response.ok || ok !== true || result === undefined) throw failure(received, point, hint);
  const issues = redact(validate?.(point.operation, envelope) ?? [], key);
  if (issues.length > 0) throw new ResponseValidationError(`the response breaks the contract: ${issues[0]}`, point, { issues });
  return { result, extra: extraOf(envelope), envelope: envelope as unknown as Success<unknown> };
}

/** The error of a response, without the key. */
export function failure({ response, text, key }: Received, point: CallPoint, hint = ""): ChainQueryError {
  const { status, ok } = response;
  const envelope = redact(parsed(text), key);
  const headers = new Headers(redact(Array.from(response.headers as unknown as Iterable<[string, string]>), key));
  const about = { status, retryAfterMs: retryAfterMs(headers) };
  const body = envelope === undefined ? redact(text, key) : JSON.stringify(envelope);
  // Browsers hide redirects and report status 0.
  const target = !ok && status < 400 && `redirect to ${headers.get("location")}`.replace(/[?#].*/, "");
  const shown = `HTTP ${status}: ${target || body.slice(0, 200) || "no body"}`;
  // A server may send any number as status.
  const isFailure = ok ? envelope?.["ok"] === false : status > 399 && status < 600;
  if (!isFailure) return new ParseError(`unexpected response: ${shown}`, point, about);
  const { error, result, code } = Object(envelope);
  const message = textOf(error) ?? textOf(result) ?? shown;
  return new (failureClass(status, code))(message + (status === 500 ? hint : ""), point, {
    ...about,
    headers,
    error,
    envelope,
    extra: extraOf(envelope),
  });
}

/** Some deployments put `@extra` inside the result. */
function extraOf(envelope: unknown): string | undefined {
  const { "@extra": extra = Object(Object(envelope).result)["@extra"] } = Object(envelope);
  return typeof extra === "string" ? extra : undefined;
}

/** The text of a failure: `error`, `error.message`, or `result`, where some deployments put the text of a 429. */
function textOf(member: unknown): string | undefined {
  const text = Object(member).message ?? member;
  return typeof text === "string" && text ? text : undefined;
}

/** Undefined for invalid JSON, and for null. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
