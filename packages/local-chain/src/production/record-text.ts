/**
 * Plain data as text: JSON, in which a bigint is `{"n": digits}` and bytes are `{"b": base64}`. No data may look so.
 */
export function recordText(value: unknown): Uint8Array {
  // By the holder: a Buffer would otherwise have turned itself into something else before it is seen.
  const text = JSON.stringify(value, function (this: Record<string, unknown>, name: string) {
    return written(this[name]);
  });
  return Buffer.from(text);
}

/** Reads what `recordText` wrote. The caller knows what it was. */
export function readRecordText<T>(record: Uint8Array): T {
  return JSON.parse(Buffer.from(record).toString("utf8"), (_, part: unknown) => readPart(part));
}

function written(part: unknown): unknown {
  if (typeof part === "bigint") return { n: part.toString() };
  return part instanceof Uint8Array ? { b: Buffer.from(part).toString("base64") } : part;
}

function readPart(part: unknown): unknown {
  if (typeof part !== "object" || part === null || Object.keys(part).length !== 1) return part;
  if ("n" in part && typeof part.n === "string") return BigInt(part.n);
  return "b" in part && typeof part.b === "string" ? new Uint8Array(Buffer.from(part.b, "base64")) : part;
}
