/** The API key: its characters, and its removal from errors and events. A deployment may repeat it, and errors end up in logs. */
import type { OutgoingRequest } from "./settings.ts";

/** Only characters that a header accepts, because for others `fetch` throws an error that contains the key. */
export const isKey = (value: unknown): value is string => typeof value === "string" && /^[!-~]+$/.test(value);

/** Replaces the key, plain or URL-encoded, in a text, or in the texts, numbers and names of JSON. */
export function redact<Value>(value: Value, key: string | null): Value;
export function redact(value: unknown, key: string | null): unknown {
  if (!key) return value;
  if (Array.isArray(value)) return value.map((each) => redact(each, key));
  if (Object(value) === value) return Object.fromEntries(redact(Object.entries(value as object), key));
  if (typeof value === "number") return `${value}`.includes(key) ? "[key]" : value;
  if (typeof value !== "string") return value;
  // The key may be a part of "[key]", so a replacement is not searched again.
  const parts = value.split(encodeURIComponent(key)).map((part) => part.replaceAll(key, "[key]"));
  return parts.join("[key]");
}

/** Redacts the strings of an error from `fetch` and of its causes, but not their names and codes: undici puts parts of the response there. */
export function cleanse(thrown: unknown, key: string | null, depth = 9): unknown {
  if (Object(thrown) !== thrown) return redact(thrown, key);
  for (const name of key && depth ? Object.getOwnPropertyNames(thrown) : []) {
    const held = Reflect.get(thrown as object, name);
    const isText = typeof held === "string" && !/^(code|name)$/.test(name);
    if (isText || name === "cause") Reflect.set(thrown as object, name, cleanse(held, key, depth - 1));
  }
  return thrown;
}

/** The header of the key. */
export const keyHeader = "x-api-key";

/** The URL of a request without its query and the key. The host is not redacted: a short key may be a part of it. */
export const shownUrl = ({ url, headers }: OutgoingRequest): string =>
  url.replace(/([^/:])(\/[^?]*).*/, (_, end: string, path: string) => end + redact(path, headers.get(keyHeader)));
