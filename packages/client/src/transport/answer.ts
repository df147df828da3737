/** Reads answers to their end, and refuses those that are not the service's. */
import { type CallPoint, ParseError } from "../errors.ts";
import { redact } from "./redaction.ts";
import { retryAfterMs } from "./retry.ts";

/** Browsers hide redirects and report status 0. */
const redirects: readonly number[] = [0, 301, 302, 303, 307, 308];

/** The error for an answer that is not an envelope. */
export function parseError(why: string, point: CallPoint, { status, headers }: Response): ParseError {
  return new ParseError(`HTTP ${status}, ${why}`, point, { status, retryAfterMs: retryAfterMs(headers) });
}

/** Throws for redirects, and for statuses that `new Response()` does not accept: a server may send any. */
export function refuseUnusable(response: Response, call: CallPoint, key: string | null): void {
  const { status } = response;
  if (!redirects.includes(status) && status >= 200 && status <= 599) return;
  discard(response);
  const location = redact(`${response.headers.get("location")}`.replace(/[?#].*/, ""), key);
  const why = status > 399 || (status && status < 200) ? "not a valid status" : `a redirect, not followed: ${location}`;
  throw parseError(why, call, response);
}

/** Reads the body; it can still be read as text. A real Request gets a real Response. */
export async function complete(response: Response, request: object): Promise<Response> {
  const text = await response.text();
  if (!(request instanceof Request))
    return Object.assign(response, { text: async () => text, json: async () => JSON.parse(text) });
  return new Response(text || null, response);
}

/** Frees the connection of an answer that is not read. */
export function discard({ body }: Response): void {
  body?.cancel().catch(() => {});
}
