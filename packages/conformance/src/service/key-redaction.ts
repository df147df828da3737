/** Keeps the API key out of reports, even if a service repeats it in its answers. */

const placeholder = "$CHAIN_API_KEY";

/** Shorter keys are replaced only as whole words, because they may be part of unrelated words. */
const distinctLength = 8;

/** Replaces the key by `$CHAIN_API_KEY` in a text, be it plain, JSON-escaped or URL-encoded. */
export function keyRedactor(key: string | undefined): (text: string) => string {
  if (key === undefined) return (text) => text;
  const patterns = formsOf(key).map(patternOf);
  return (text) => patterns.reduce((shown, pattern) => shown.replaceAll(pattern, () => placeholder), text);
}

/** The longest first, because one may contain another. */
function formsOf(key: string): string[] {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const inUrl = encodeURIComponent(key);
  const inForm = new URLSearchParams([["", key]]).toString().slice(1);
  const forms = [key, inJson(key), inJson(inJson(key)), inUrl, inForm];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function patternOf(form: string): RegExp {
  const exactly = [...form].map(literal).join("");
  if (form.length < distinctLength) return new RegExp(`(?<!\\w)${exactly}(?!\\w)`, "g");
  // Previews show the beginning of a long text, so the text may end inside the key.
  const cut = [...form].slice(4).reduceRight((rest, character) => `(?:${literal(character)}${rest})?`, "");
  const beginning = [...form].slice(0, 4).map(literal).join("");
  return new RegExp(`${exactly}|${beginning}${cut}(?="…)`, "g");
}

/** Percent-encoding has hexadecimal digits in either case. */
function literal(character: string): string {
  if (/[a-f]/i.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return /\w/.test(character) ? character : `\\${character}`;
}
