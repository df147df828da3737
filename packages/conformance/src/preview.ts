/** Short one-line descriptions of values from bodies, safe to print on a terminal. */

const longest = 60;

/** Describes a value: scalars as JSON, long texts by their beginning, arrays and objects by their kind. */
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
