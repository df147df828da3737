/** The dialog of the search. The arrow keys go through what was found, Enter opens it, Escape closes the dialog. */
import type { SearchEntry } from "./entry.ts";

export interface SearchParts {
  dialog: HTMLDialogElement;
  input: HTMLInputElement;
}

/** What was found, and the words around it. */
interface Found {
  entry: SearchEntry;
  excerpt: string;
}

/** Makes the dialog and puts it into the page; `find` is asked at each change of the words. */
export function dialogWith(find: (words: string) => readonly Found[]): SearchParts {
  const dialog = element("dialog", { className: "search", ariaLabel: "Search" });
  const input = element("input", {
    type: "search",
    placeholder: "Search guides, operations and decisions",
    ariaLabel: "Words to search for",
  });
  input.autocomplete = "off";
  input.spellcheck = false;
  const status = element("p", { className: "search-status", role: "status" });
  const list = element("ul", {});
  dialog.append(input, status, list);
  document.body.append(dialog);

  input.addEventListener("input", () => {
    const words = input.value.trim();
    const found = words === "" ? [] : find(words);
    list.replaceChildren(...found.map(itemOf));
    status.textContent = statusOf(words, found.length);
  });
  dialog.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    // A search box would only empty itself at the first press.
    if (event.key === "Escape") {
      event.preventDefault();
      dialog.close();
    }
    if (event.key === "Enter" && document.activeElement === input) links[0]?.click();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops: (Element | null)[] = [input, ...links];
    const at = stops.indexOf(document.activeElement);
    const next = stops[Math.min(stops.length - 1, Math.max(0, at + step))];
    if (next instanceof HTMLElement) next.focus();
  });
  // Where nothing had the focus before, the box would keep it though nobody sees it.
  dialog.addEventListener("close", () => input.blur());
  dialog.addEventListener("click", ({ target }) => {
    // Beside the dialog, or on a link, which may lead to another place of the same page.
    if (target === dialog || (target instanceof Element && target.closest("a"))) dialog.close();
  });
  return { dialog, input };
}

function itemOf({ entry, excerpt }: Found): HTMLLIElement {
  const link = element("a", { href: addressOf(entry.path) });
  const page = element("small", { textContent: entry.page === entry.title ? "" : entry.page });
  link.append(element("strong", { textContent: entry.title }), page, element("span", { textContent: excerpt }));
  const item = element("li", {});
  item.append(link);
  return item;
}

/** The site's root is where its start page is; a disk has no index page of a folder. */
function addressOf(path: string): string {
  const root = document.querySelector<HTMLAnchorElement>(".brand")?.href.replace(/index\.html$/, "") ?? "./";
  const address = new URL(path, root);
  if (address.protocol === "file:" && address.pathname.endsWith("/")) address.pathname += "index.html";
  return address.href;
}

function statusOf(words: string, count: number): string {
  if (words === "") return "";
  return count === 0 ? `Nothing is found for ${words}.` : `${count === 12 ? "The best 12" : count} found`;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
