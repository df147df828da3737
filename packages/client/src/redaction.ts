/** Keeps the key out of what is told: a deployment may repeat it in its answer, and errors end up in logs. */

/** A text without the key, which may stand in it as it is or as in a URL. */
export function redact(text: string, key: string | null | undefined): string {
  return key ? text.replaceAll(key, "[key]").replaceAll(encodeURIComponent(key), "[key]") : text;
}

/** What `fetch` threw, with the key taken from its texts and those of its causes: undici keeps there what came over the wire. */
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
