/** Parses JSON of unknown origin. Size and depth are checked first, because parsing deeply nested JSON takes gigabytes and minutes. */

import { previewOf } from "./preview.ts";

/** Far above any answer of the contract: a page of 1,000 transactions has some megabytes, and no answer is ten levels deep. */
const limits = { bytes: 16 * 2 ** 20, depth: 64, values: 500_000 };

/** The value, or why the bytes are not JSON that can be judged. */
export type ParsedJson = { readonly value: unknown } | { readonly problem: string };

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
