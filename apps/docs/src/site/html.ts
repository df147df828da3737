/** HTML as template literals, which escape everything that is not HTML already. */

/** HTML that templates do not escape. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | false | readonly Part[];

/**
 * Makes HTML of a template. It escapes text, joins arrays, and omits undefined and false.
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
