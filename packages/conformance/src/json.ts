/** Access to JSON of unknown shape. */

/** A JSON object with unknown members. */
export interface JsonObject {
  readonly [member: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function has(value: unknown, member: string): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, member);
}

/** The value at a path of member names and indexes; undefined if the path leads nowhere. */
export function valueAt(value: unknown, segments: readonly string[]): unknown {
  return segments.reduce<unknown>((found, segment) => {
    if (Array.isArray(found)) return found[Number(segment)];
    return has(found, segment) ? found[segment] : undefined;
  }, value);
}

/** A JSON Pointer (RFC 6901) from its segments. */
export function pointerOf(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function segmentsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A non-negative integer as the contract writes amounts and logical times; undefined for anything else. */
export function naturalIn(value: unknown): bigint | undefined {
  return typeof value === "string" && /^(0|[1-9][0-9]{0,77})$/.test(value) ? BigInt(value) : undefined;
}
