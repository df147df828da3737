/** The script of the reference: starts Redoc, routes links, adds accessible names, and opens the playground in a dialog. */
import { configuredUrl, shownBaseUrl } from "./configured-service.ts";
import { createElement, loadScript } from "./elements.ts";

interface Redoc {
  hydrate(definition: object, options: object, element: HTMLElement | null): Promise<void>;
}

/** Addresses of Redoc's script in both formats. */
interface RedocScripts {
  module: string;
  classic: string;
}

declare global {
  /** Defined by the classic script. */
  var redoc: Redoc | undefined;
}

const interactions = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart", "scroll", "focusin", "hashchange"];

/**
 * Starts Redoc, which takes over the prerendered page. Its script blocks a phone for seconds, so it runs at the first interaction, or at
 * once if the address has a route, which is not prerendered.
 */
function startRedoc(scripts: RedocScripts, definition: Promise<object>, options: object): void {
  const waiting = new AbortController();
  const start = async (): Promise<void> => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    const { hydrate } = await load(scripts);
    await hydrate(await definition, options, document.getElementById("redoc"));
  };
  if (location.hash.startsWith("#/")) void start();
  // Preloads the script after all other files, so that the first interaction only has to run it.
  if (location.protocol !== "file:") addEventListener("load", () => setTimeout(() => preload(scripts.module)), { once: true });
  for (const name of interactions) addEventListener(name, () => void start(), { passive: true, signal: waiting.signal });
}

function preload(module: string): void {
  document.head.append(createElement("link", { rel: "modulepreload", href: module }));
}

/** Loads Redoc's script, as a classic one on `file:` pages, where browsers do not load modules. */
async function load({ module, classic }: RedocScripts): Promise<Redoc> {
  if (location.protocol !== "file:") return import(new URL(module, location.href).href);
  await loadScript(classic);
  if (globalThis.redoc === undefined) throw new Error(`${classic} did not define redoc`);
  return globalThis.redoc;
}

/** Fragments, keyed by id of the operation. */
export type Routes = Readonly<Record<string, string>>;

/** Redirects `#lookupBlock` to the route of that operation, and points the prerendered links, which are paths, to fragments. */
function followRoutes(routes: Routes): void {
  const follow = (): void => {
    const route = routes[location.hash.slice(1)];
    if (route !== undefined) location.replace(route);
  };
  follow();
  addEventListener("hashchange", follow);
  for (const link of document.querySelectorAll('#redoc a[href^="/"]')) {
    link.setAttribute("href", `#${link.getAttribute("href")}`);
  }
}

const searchTrigger = '[data-testid="search-trigger"]';
/** The switch between one column and two. */
const layoutSwitch =
  '#redoc span:has(> [data-component-name="Tooltip/Tooltip"] > [data-component-name$="/HorizontalViewIcon"])';
/** Elements that Redoc makes clickable without keyboard support. */
const clickable = `${searchTrigger}, ${layoutSwitch}`;

const attributes: readonly (readonly [selector: string, attributes: Readonly<Record<string, string>>])[] = [
  ["#redoc .menu-content", { role: "navigation", "aria-label": "Operations" }],
  [searchTrigger, { role: "button", tabindex: "0" }],
  [layoutSwitch, { role: "button", tabindex: "0", "aria-label": "One column or two" }],
  // Headings of operations are h2, headings within are h4.
  ["#redoc h4", { "aria-level": "3" }],
  ["#redoc h5", { "aria-level": "4" }],
  ['[data-testid="search-dialog"] input', { "aria-label": "Search the reference" }],
  ['[data-component-name="Search/SearchInput"] button', { "aria-label": "Empty the search box" }],
];

/** Adds the attributes now and whenever Redoc renders something. */
function addAccessibleNames(): void {
  add();
  new MutationObserver(add).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if ((key !== "Enter" && key !== " ") || !(target instanceof HTMLElement) || !target.matches(clickable)) return;
    event.preventDefault();
    target.click();
  });
}

function add(): void {
  for (const [selector, values] of attributes) {
    for (const element of document.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(values)) {
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
    }
  }
  // The visible text of these buttons is the chosen example, which their label hides from voice control.
  for (const button of document.querySelectorAll('#redoc button[aria-label="Example"]')) button.removeAttribute("aria-label");
}

/** Handles clicks on these links and on others to an operation in the playground. */
function openPlaygroundInDialog(): void {
  const dialog = createDialog();
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      const operation = link && playgroundOperation(link);
      if (!link || !operation || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      // Redoc's router would handle the click otherwise.
      event.stopPropagation();
      dialog.open(link.href, operation);
    },
    { capture: true },
  );
}

/** The operation that a link to the playground names. */
function playgroundOperation({ href }: HTMLAnchorElement): string | null {
  const { pathname, searchParams } = new URL(href);
  return /\/playground\/(index\.html)?$/.test(pathname) ? searchParams.get("operation") : null;
}

function createDialog(): { open(href: string, operation: string): void } {
  const title = createElement("h2", { id: "try-it-title" });
  // The style sheet hides the label on a phone, which has room for the arrow only.
  const label = createElement("span", {}, "Open as a page ");
  const pageLink = createElement("a", { "aria-label": "Open as a page" }, label, "↗");
  const close = createElement("button", { type: "button" }, "Close");
  const frame = createElement("iframe", { title: "Playground" });
  const bar = createElement("div", {}, title, pageLink, close);
  const dialog = createElement("dialog", { class: "try-it", "aria-labelledby": title.id }, bar, frame);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => {
    // A click on the backdrop has the dialog itself as its target.
    if (target === dialog) dialog.close();
  });
  // Removing the frame discards the form, including the API key.
  dialog.addEventListener("close", () => frame.remove());
  document.body.append(dialog);
  return {
    open(href, operation) {
      title.textContent = `Try ${operation}`;
      pageLink.href = href;
      frame.src = href;
      dialog.append(frame);
      dialog.showModal();
    },
  };
}

const element = document.getElementById("reference-data");
const { definition, options, routes }: { definition: object; options: object; routes: Routes } = JSON.parse(
  element?.textContent ?? "{}",
);
const { module = "", classic = "" } = element?.dataset ?? {};

openPlaygroundInDialog();
followRoutes(routes);
addAccessibleNames();
startRedoc({ module, classic }, definitionForService(), options);

/** The definition, with the base URL of the service that the site is configured with in its samples. */
async function definitionForService(): Promise<object> {
  const url = await configuredUrl();
  if (url === undefined) return definition;
  return JSON.parse(JSON.stringify(definition).replaceAll(shownBaseUrl, url));
}
