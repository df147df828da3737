/** The search dialog. Arrow keys move between results, Enter opens one, Escape closes the dialog. */
import { createSearch, type SearchEntry, type SearchResult } from "./find.ts";

/** Loads the entries at an address and adds the dialog to the page. Returns a function that opens it. */
export async function createDialog(address: string): Promise<() => void> {
  const entries: SearchEntry[] = await (await fetch(address)).json();
  const find = createSearch(entries);
  return createSearchDialog((words) => find(words, maxResults));
}

/** Most results that are shown. */
const maxResults = 12;

/** Adds the dialog to the page; it calls `find` at each change of the input. */
function createSearchDialog(find: (words: string) => readonly SearchResult[]): () => void {
  const dialog = element("dialog", { className: "search", ariaLabel: "Search" });
  const input = element("input", {
    type: "search",
    placeholder: "Search guides, client, operations and decisions",
    ariaLabel: "Words to search for",
  });
  input.autocomplete = "off";
  input.spellcheck = false;
  const status = element("p", { className: "search-status", role: "status" });
  const list = element("ul", {});
  dialog.append(input, status, list);
  document.body.append(dialog);

  const close = (): void => {
    dialog.close();
    // If no element had the focus before, the hidden input would keep it, and the next key would count as typed there.
    input.blur();
  };

  input.addEventListener("input", () => {
    const words = input.value.trim();
    const found = words === "" ? [] : find(words);
    list.replaceChildren(...found.map(createItem));
    status.textContent = statusOf(words, found.length);
  });
  dialog.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    // By default, Escape only clears a search input.
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
    if (event.key === "Enter" && document.activeElement === input) links[0]?.click();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const focusable: (Element | null)[] = [input, ...links];
    const current = focusable.indexOf(document.activeElement);
    const next = focusable[Math.min(focusable.length - 1, Math.max(0, current + step))];
    if (next instanceof HTMLElement) next.focus();
  });
  dialog.addEventListener("click", ({ target }) => {
    // A click on the backdrop, or on a link, which may lead to this page.
    if (target === dialog || (target instanceof Element && target.closest("a"))) close();
  });
  return () => {
    if (!dialog.open) dialog.showModal();
    input.select();
  };
}

function createItem({ entry, excerpt }: SearchResult): HTMLLIElement {
  const link = element("a", { href: urlOf(entry.path) });
  const page = element("small", { textContent: entry.page === entry.title ? "" : entry.page });
  link.append(element("strong", { textContent: entry.title }), page, element("span", { textContent: excerpt }));
  const item = element("li", {});
  item.append(link);
  return item;
}

/** URL of a path below the site's root, to which the logo links. */
function urlOf(path: string): string {
  return new URL(path, document.querySelector<HTMLAnchorElement>(".brand")?.href).href;
}

function statusOf(words: string, count: number): string {
  if (words === "") return "";
  return count === 0 ? `No results for ${words}.` : `${count === maxResults ? `The best ${maxResults}` : count} found`;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
