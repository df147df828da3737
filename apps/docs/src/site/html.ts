/** A template literal for HTML that escapes all values except HTML. */

/** HTML that templates do not escape. */
export interface Html {
  readonly html: string;
}

type Value = Html | string | number | undefined | false | readonly Value[];

/** Makes HTML from a template. It escapes text, joins arrays, and omits undefined and false. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return raw(strings.reduce((result, text, index) => `${result}${toHtml(values[index - 1])}${text}`));
}

/** Marks text as HTML. */
export function raw(text: string): Html {
  return { html: text };
}

/** Escapes text for the content of an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function toHtml(value: Value): string {
  if (value === undefined || value === false) return "";
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return "html" in value ? value.html : value.map(toHtml).join("");
}
