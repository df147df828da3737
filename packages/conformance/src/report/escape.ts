import { printable } from "../preview.ts";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text that is safe in HTML and in XML, between tags and in quoted attributes; nothing in it acts, or shows out of order. */
export function escaped(text: string): string {
  return printable(text)
    .replaceAll(/\p{Cs}|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
