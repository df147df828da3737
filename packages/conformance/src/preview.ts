/** A value of a body in a few words, on one line: bodies are large, and may hold anything. */

const longest = 60;

/** Names the value: short ones as JSON, long texts by their beginning, the rest by what they are. */
export function previewOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function quote(text: string): string {
  const cut = text.length > longest;
  const shown = printable(JSON.stringify(cut ? text.slice(0, longest - 20) : text));
  return cut ? `${shown}… of ${text.length} characters` : shown;
}

/** Escapes what a terminal would act on or show out of order. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
