/** HTML as template literals, in which everything is escaped that is not marked as HTML already. */

/** Text that is HTML and goes into a template as it is. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | false | readonly Part[];

/**
 * Makes HTML of a template; text in it is escaped, arrays are joined, undefined and false leave nothing.
 *
 * @example
 * html`<p>${"a < b"}</p>`.html; // "<p>a &lt; b</p>"
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return raw(strings.reduce((before, text, index) => `${before}${written(parts[index - 1])}${text}`));
}

/** Marks text as HTML. */
export function raw(text: string): Html {
  return { html: text };
}

/** Escapes text for an element or a quoted attribute. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function written(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "html" in part ? part.html : part.map(written).join("");
}
