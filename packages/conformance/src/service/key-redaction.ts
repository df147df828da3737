/** A service that repeats the key must not bring it into a report. */

const inItsPlace = "$CHAIN_API_KEY";

/** A key that is shorter may well be part of a word that has nothing to do with it. */
const telling = 8;

/** Puts `$CHAIN_API_KEY` wherever the key stands in a text, as it is or as JSON or a URL writes it. */
export function concealmentOf(key: string | undefined): (text: string) => string {
  if (key === undefined) return (text) => text;
  const patterns = formsOf(key).map(patternOf);
  return (text) => patterns.reduce((shown, pattern) => shown.replaceAll(pattern, () => inItsPlace), text);
}

/** The longest first, because one may hold another. */
function formsOf(key: string): string[] {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const inUrl = encodeURIComponent(key);
  const inForm = new URLSearchParams([["", key]]).toString().slice(1);
  const forms = [key, inJson(key), inJson(inJson(key)), inUrl, inForm];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function patternOf(form: string): RegExp {
  const exactly = [...form].map(literal).join("");
  if (form.length < telling) return new RegExp(`(?<!\\w)${exactly}(?!\\w)`, "g");
  // A long text is shown by its beginning, and the cut may go through the key.
  const cut = [...form].slice(4).reduceRight((rest, character) => `(?:${literal(character)}${rest})?`, "");
  const beginning = [...form].slice(0, 4).map(literal).join("");
  return new RegExp(`${exactly}|${beginning}${cut}(?="…)`, "g");
}

/** A URL may write its hexadecimal digits in either case. */
function literal(character: string): string {
  if (/[a-f]/i.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return /\w/.test(character) ? character : `\\${character}`;
}
