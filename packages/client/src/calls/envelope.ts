/** Reads the envelope of an answer. */
import { type CallPoint, failureClass, ResponseValidationError } from "../errors.ts";
import { parseError } from "../transport/answer.ts";
import type { Answer } from "../transport/openapi-fetch.ts";
import { redact } from "../transport/redaction.ts";
import { retryAfterMs } from "../transport/retry.ts";
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

/** Returns the result of a success, and throws the matching error for any other answer. */
export function openEnvelope(
  { response, body }: Answer,
  point: CallPoint,
  validate: Validate | undefined,
  key: string | null | undefined,
  hint: string,
): Opened {
  const { status, ok } = response;
  const envelope = parsed(body);
  const { ok: succeeded, result } = Object(envelope) as Record<string, unknown>;
  const clean = (text: string) => redact(text, key);
  if (ok && succeeded === true && result !== undefined) {
    const issues = (validate?.(point.operation, envelope) ?? []).map(clean);
    if (issues.length > 0) throw new ResponseValidationError(`the answer breaks the contract: ${issues[0]}`, point, { issues });
    return { result, extra: extraOf(envelope), envelope: envelope as Success<unknown> };
  }
  const said = JSON.parse(JSON.stringify(envelope ?? null), (_, value) => {
    if (typeof value === "string") return clean(value);
    if (!value || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), member]));
  });
  if (typeof envelope !== "object" || Array.isArray(envelope) || (ok && succeeded !== false)) {
    const start = (envelope === undefined ? clean(String(body ?? "")) : JSON.stringify(said)).slice(0, 200);
    throw parseError(`and the answer is not an envelope: ${start || "it is empty"}`, point, response);
  }
  const headers = new Headers();
  response.headers.forEach((value, name) => {
    headers.append(name, clean(value));
  });
  const message = textOf(said.error) ?? textOf(said.result) ?? `HTTP ${status}`;
  throw new (failureClass(status, said.code))(message + (status === 500 ? hint : ""), point, {
    status,
    headers,
    error: said.error,
    envelope: said,
    extra: extraOf(said),
    retryAfterMs: retryAfterMs(headers),
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

/** openapi-fetch has already parsed the body of a failure if it is JSON. */
function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body ?? undefined;
  try {
    return JSON.parse(body) ?? undefined;
  } catch {
    return undefined;
  }
}
