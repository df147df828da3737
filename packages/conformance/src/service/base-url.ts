/** Base URLs of services. */

/** Thrown if a text is not a base URL; the message is one line and contains nothing that may be secret. */
export class BaseUrlError extends RangeError {
  override readonly name = "BaseUrlError";
}

/**
 * Checks and normalises a base URL: without a trailing slash, so that paths can be appended.
 *
 * @example
 * ```ts
 * parseBaseUrl("http://127.0.0.1:4010/"); // "http://127.0.0.1:4010"
 * ```
 * @throws BaseUrlError if it is not an http or https URL, or has credentials, a query or a fragment.
 */
export function parseBaseUrl(text: string): string {
  const problem = problemIn(text);
  if (problem === undefined) return new URL(text).href.replace(/\/+$/, "");
  // The text may contain a password or a key, which must not be repeated.
  const shown = /[@?#]/.test(text) ? "the given URL" : JSON.stringify(text);
  throw new BaseUrlError(`${shown} ${problem}; accepted: http:// or https://, a host and optionally a path`);
}

/** Whether it leads to this machine. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}

function problemIn(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return "is not a base URL";
  const { username, password } = new URL(text);
  if (username !== "" || password !== "") return "has a user name or a password; a key goes with --api-key or apiKey";
  if (text.includes("?")) return "has a query";
  return text.includes("#") ? "has a fragment" : undefined;
}
