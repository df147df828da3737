/** The API key: its characters, and its removal from errors and events. A deployment may repeat it, and errors end up in logs. */

/** Only characters that a header accepts, because for others `fetch` throws an error that contains the key. */
export const isKey = (value: unknown): boolean => typeof value === "string" && /^[!-~]+$/.test(value);

/** Replaces the key, plain or URL-encoded, in a text, or in the texts and names of JSON. */
export function redact<Value>(value: Value, key: string | undefined): Value;
export function redact(value: unknown, key: string | undefined): unknown {
  if (!key) return value;
  if (typeof value === "string") return value.replaceAll(key, "[key]").replaceAll(encodeURIComponent(key), "[key]");
  const each = (part: unknown) => redact(part, key);
  if (Array.isArray(value)) return value.map(each);
  return Object(value) === value ? Object.fromEntries(Object.entries(value as object).map((entry) => entry.map(each))) : value;
}

/** Redacts the strings of an error from `fetch` and of its causes: undici puts parts of the response there. */
export function cleanse(thrown: unknown, key: string | undefined, depth = 9): unknown {
  if (typeof thrown === "string") return redact(thrown, key);
  if (!key || !depth || Object(thrown) !== thrown) return thrown;
  for (const name of Object.getOwnPropertyNames(thrown)) {
    const held = Reflect.get(thrown as object, name);
    const clean = typeof held === "string" || name === "cause" ? cleanse(held, key, depth - 1) : held;
    if (clean !== held) Reflect.set(thrown as object, name, clean);
  }
  return thrown;
}
