/** Parses untrusted JSON, reads values of unknown shape, and escapes them for reports. */

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

/** Far above any response of the contract: a page of 1,000 transactions has some megabytes, and no response is ten levels deep. */
const limits = { bytes: 16 * 2 ** 20, depth: 64, values: 500_000 };

/** The value, or why the bytes are not JSON that can be validated. */
type ParsedJson = { readonly value: unknown } | { readonly problem: string };

export function parseJson(bytes: Uint8Array): ParsedJson {
  if (bytes.length > limits.bytes) return { problem: `JSON of more than ${limits.bytes} bytes` };
  const problem = structureProblem(bytes);
  if (problem !== undefined) return { problem };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { problem: "bytes that are not UTF-8" };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: text.trim() === "" ? "an empty body" : `the text ${previewOf(text.trim())}` };
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts brackets and commas outside strings. */
function structureProblem(bytes: Uint8Array): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
    } else if (byte === openArray || byte === openObject) {
      values++;
      if (++depth > limits.depth) return `JSON nested deeper than ${limits.depth} levels`;
    } else if (byte === closeArray || byte === closeObject) depth--;
    else if (byte === comma) values++;
    if (values > limits.values) return `JSON with more than ${limits.values} values`;
  }
  return undefined;
}

const maxPreviewLength = 60;

/** Describes a value: scalars as JSON, long texts by their beginning, arrays and objects by their kind. */
export function previewOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return shortened(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function shortened(text: string): string {
  const cut = text.length > maxPreviewLength;
  const shown = printable(JSON.stringify(cut ? text.slice(0, maxPreviewLength - 20) : text));
  return cut ? `${shown}… of ${text.length} characters` : shown;
}

/** Escapes control, formatting and line separator characters, which a terminal would act on or reorder. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a text for HTML and XML, between tags and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return printable(text)
    .replaceAll(/\p{Cs}|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
