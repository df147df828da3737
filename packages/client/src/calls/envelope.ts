/** Reads the envelope of a response. */
import { describeResponse } from "#diagnostics";
import { type CallInfo, type ChainQueryError, failureClass, ParseError, ResponseValidationError } from "../errors.ts";
import type { Validate } from "../options.ts";
import { keyHeader, redact, shownUrl } from "../transport/key.ts";
import type { ReceivedResponse } from "../transport/settings.ts";
import { retryAfterMs } from "../transport/timing.ts";

/** Returns the body of a success, and throws the matching error for any other response. */
export function openEnvelope(received: ReceivedResponse, point: CallInfo, validate: Validate | undefined): Envelope {
  const { response, text, outgoing } = received;
  const envelope = parsed(text);
  if (!response.ok || envelope?.ok !== true || envelope.result === undefined) throw failure(received, point);
  const issues = validate ? redact(validate(point.operation, envelope), outgoing.headers.get(keyHeader)) : [];
  if (issues.length > 0) throw new ResponseValidationError(`the response breaks the contract: ${issues[0]}`, point, { issues });
  return envelope;
}

/** The error of a response, without the key. */
export function failure(received: ReceivedResponse, point: CallInfo): ChainQueryError {
  try {
    return failureOf(received, point);
  } catch {
    // A body of thousands of levels overflows the stack. Its start is no JSON.
    return failureOf(received, point, received.text.slice(0, 200));
  }
}

function failureOf(
  { response, text: whole, outgoing }: ReceivedResponse,
  point: CallInfo,
  text: string = whole,
): ChainQueryError {
  const { status } = response;
  const key = outgoing.headers.get(keyHeader);
  const clean = <Value>(value: Value) => redact(value, key);
  const received = parsed(text);
  const envelope = clean(received);
  const headers = new Headers();
  response.headers.forEach((value, name) => void headers.append(name, clean(value)));
  const about = {
    request: `${outgoing.method} ${shownUrl(outgoing)}`,
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(response.headers),
  };
  const shown = (JSON.stringify(envelope) ?? clean(text)).slice(0, 200) || "no body";
  const { ok: accepted, error, result, code, reason, input } = received ?? {};
  // A 404 of a gateway, of another API, or of a path that the service does not have, knows nothing of blocks: waiting for one would not end.
  const isElsewhere = accepted !== false || reason === "unknown_path";
  // A server may send any number as status.
  if (response.ok || status === 404 ? isElsewhere : status < 400 || status > 599) {
    return new ParseError(describeResponse(about, shown, whole, received, headers), point, about);
  }
  const message = clean(textOf(error) ?? textOf(result)) ?? `HTTP ${status}: ${shown}`;
  return new (failureClass(status, code))(message, point, {
    ...about,
    headers,
    error: clean(error),
    reason: clean(stringOf(reason)),
    input: clean(stringOf(input)),
    envelope,
    extra: clean(extraOf(received)),
  });
}

/** A body, unchecked; it may be any other JSON than an object. */
export interface Envelope {
  readonly ok?: unknown;
  readonly error?: unknown;
  readonly result?: { readonly "@extra"?: unknown } | null;
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly input?: unknown;
  readonly "@extra"?: unknown;
}

/** Some deployments put `@extra` inside the result. */
export function extraOf(envelope: Envelope | undefined): string | undefined {
  return stringOf(envelope?.["@extra"] ?? envelope?.result?.["@extra"]);
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The text of a failure: `error`, `error.message`, or `result`, where some deployments put the text of a 429. */
function textOf(member: unknown): string | undefined {
  const text = Object(member).message ?? member;
  return typeof text === "string" && text ? text : undefined;
}

/** Undefined for invalid JSON, and for null. */
function parsed(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
