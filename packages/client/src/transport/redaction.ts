/** Keeps the API key out of errors and events: a deployment may repeat it in its answer, and errors end up in logs. */

/** Replaces the key in a text, plain or URL-encoded. */
export function redact(text: string, key: string | null | undefined): string {
  return key ? text.replaceAll(key, "[key]").replaceAll(encodeURIComponent(key), "[key]") : text;
}

/** Redacts the strings of an error from `fetch` and of its causes: undici puts parts of the answer there. */
export function cleanse(thrown: unknown, key: string | null | undefined, depth = 9): unknown {
  if (typeof thrown === "string") return redact(thrown, key);
  if (!key || !depth || Object(thrown) !== thrown) return thrown;
  for (const name of Object.getOwnPropertyNames(thrown)) {
    const held = Reflect.get(thrown as object, name);
    const clean = typeof held === "string" || name === "cause" ? cleanse(held, key, depth - 1) : held;
    if (clean !== held) Reflect.set(thrown as object, name, clean);
  }
  return thrown;
}
