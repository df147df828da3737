/** Where a service is. */

/** Thrown where a text is no base URL; the message is one line, and shows nothing that may be a secret. */
export class BaseUrlError extends RangeError {
  override readonly name = "BaseUrlError";
}

/**
 * A base URL as requests are built on it, without a trailing slash.
 *
 * @example
 * ```ts
 * baseUrlIn("http://127.0.0.1:4010/"); // "http://127.0.0.1:4010"
 * ```
 * @throws BaseUrlError where it is none, or more than one.
 */
export function baseUrlIn(text: string): string {
  const fault = faultIn(text);
  if (fault === undefined) return new URL(text).href.replace(/\/+$/, "");
  // A password may hold any character, so where there may be one nothing is repeated.
  const shown = /[@?#]/.test(text) ? "what was given" : JSON.stringify(text);
  throw new BaseUrlError(
    `${shown} is no base URL${fault}; accepted is: http:// or https://, a host and, where there is one, a path`,
  );
}

/** Whether it leads to this machine, which nobody else has to share. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}

function faultIn(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return "";
  const { username, password } = new URL(text);
  if (username !== "" || password !== "") return ", as it has a user name or a password; a key goes with --api-key or apiKey";
  if (text.includes("?")) return ", as it has a query";
  return text.includes("#") ? ", as it has a fragment" : undefined;
}
