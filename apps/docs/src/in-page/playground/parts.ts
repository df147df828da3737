/** Elements of the page. */

/**
 * Finds an element by its `data-part`. Throws if the page has no such element.
 *
 * @example
 * part("send", HTMLButtonElement).disabled = true;
 */
export function part<T extends HTMLElement>(name: string, kind: new () => T): T {
  const found = document.querySelector(`[data-part="${name}"]`);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} with data-part="${name}"`);
}

/** Creates an element with attributes and children. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}
