/** Redoc's style sheet without what no page of ours uses. */
import { substitute } from "./substitution.ts";

const declaration = /(--[\w-]+)\s*:\s*([^;{}]+);/g;

/**
 * Takes the custom properties out of a page's style that neither the style itself nor Redoc's script refers to. Redoc declares
 * thousands, for parts that only its paid products have, and a browser hands each of them down to every element.
 *
 * @example
 * withoutUnusedProperties("<style data-styled>a{--b: 1;}</style>", script); // "<style data-styled>a{}</style>"
 */
export function withoutUnusedProperties(head: string, script: string): string {
  return substitute(
    head,
    "Redoc's page",
    /(<style data-styled[^>]*>)([\s\S]*?)(<\/style>)/g,
    (_, open = "", style = "", close = "") => {
      const used = usedIn(style, script);
      const rest = style.replace(declaration, (whole, name: string) => (used.has(name) ? whole : ""));
      return `${open}${rest.replaceAll(/\n\s+/g, "\n")}${close}`;
    },
  );
}

/** The properties that something refers to which is itself in use. */
function usedIn(style: string, script: string): Set<string> {
  const values = new Map<string, string[]>();
  for (const [, name = "", value = ""] of [...style.matchAll(declaration), ...script.matchAll(declaration)]) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const names = (text: string): string[] => text.match(/--[\w-]+/g) ?? [];
  // Some names are put together in the script, which then holds only how they begin.
  const beginnings = [...script.matchAll(/(--\w[\w-]*-)\$\{/g)].map(([, beginning = ""]) => beginning);
  const waiting = [
    ...names(style.replace(declaration, "")),
    ...names(script.replace(declaration, "")),
    ...[...values.keys()].filter((name) => beginnings.some((beginning) => name.startsWith(beginning))),
  ];
  const used = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    waiting.push(...(values.get(name) ?? []).flatMap(names));
  }
  return used;
}
