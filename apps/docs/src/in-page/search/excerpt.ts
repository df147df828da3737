/** The part of a text around the first word that was found. */
const length = 130;

/** Cuts it out between words. */
export function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const begin = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 40);
  const start = begin === 0 ? 0 : text.indexOf(" ", begin) + 1;
  const end = text.length <= start + length ? text.length : text.lastIndexOf(" ", start + length);
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}
