/** Finds and creates elements, and loads scripts. */

/**
 * Finds an element by its `data-part`. Throws if the page has no such element.
 *
 * @example
 * findPart("send", HTMLButtonElement).disabled = true;
 */
export function findPart<T extends HTMLElement>(name: string, kind: new () => T): T {
  const element = document.querySelector(`[data-part="${name}"]`);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${kind.name} with data-part="${name}"`);
}

/** Creates an element with attributes and children. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** Loads a classic script. */
export function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = createElement("script", { src });
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${src} could not be loaded`)));
    document.head.append(script);
  });
}
