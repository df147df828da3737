/** The script of the reference: starts Redoc, corrects links and adds accessible names. */
import { configuredUrl, shownBaseUrl } from "./configured-service.ts";
import { loadScript } from "./elements.ts";

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
 * Starts Redoc, which takes over the prerendered page. Its script blocks a phone for seconds, so it is loaded at the first interaction,
 * or at once if the address has a route, which is not prerendered.
 */
function startRedoc(scripts: RedocScripts, definition: Promise<object>, options: object): void {
  const waiting = new AbortController();
  const start = async (): Promise<void> => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    const { hydrate } = await load(scripts);
    const shown = await definition;
    const release = location.hash === "" ? keepScrollPosition() : undefined;
    await hydrate(shown, options, document.getElementById("redoc"));
    release?.();
  };
  if (location.hash.startsWith("#/")) void start();
  for (const name of interactions) addEventListener(name, () => void start(), { passive: true, signal: waiting.signal });
}

const keysDown: ReadonlySet<string> = new Set(["PageDown", "ArrowDown", " "]);

/** Redoc's jumps follow each other faster. Frames, not a time: on a slow machine each takes longer. */
const quietFrames = 60;

/**
 * Undoes the jumps to the top that Redoc makes some time after it takes over, until an input that may lead up, or until no jump has come
 * for a while: a reader may also jump up without such an input, by the scroll bar or the status bar of a phone. Returns a function that
 * starts this count.
 */
function keepScrollPosition(): () => void {
  const waiting = new AbortController();
  let top = scrollY;
  let framesLeft = quietFrames;
  const keep = (): void => {
    if (scrollY > 0) top = scrollY;
    else {
      framesLeft = quietFrames;
      scrollTo({ top, behavior: "instant" });
    }
  };
  const count = (): void => {
    if (framesLeft-- > 0) requestAnimationFrame(count);
    else waiting.abort();
  };
  addEventListener("scroll", keep, { passive: true, signal: waiting.signal });
  const stop = (event: Event): void => {
    const leadsDown =
      event instanceof KeyboardEvent ? keysDown.has(event.key) : event instanceof WheelEvent && event.deltaY > 0;
    if (!leadsDown) waiting.abort();
  };
  for (const name of ["pointerdown", "keydown", "wheel", "touchstart"]) {
    addEventListener(name, stop, { passive: true, signal: waiting.signal });
  }
  return count;
}

/** Loads Redoc's script, as a classic one on `file:` pages, where browsers do not load modules. */
async function load({ module, classic }: RedocScripts): Promise<Redoc> {
  if (location.protocol !== "file:") return import(new URL(module, location.href).href);
  await loadScript(classic);
  if (globalThis.redoc === undefined) throw new Error(`${classic} did not define redoc`);
  return globalThis.redoc;
}

/** Points the prerendered links, which are paths, to fragments. */
function correctRoutes(): void {
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

const element = document.getElementById("reference-data");
const { definition, options }: { definition: object; options: object } = JSON.parse(element?.textContent ?? "{}");
const { module = "", classic = "" } = element?.dataset ?? {};

correctRoutes();
addAccessibleNames();
startRedoc({ module, classic }, definitionForService(), options);

/** The definition, with the base URL of the service that the site is configured with in its samples. */
async function definitionForService(): Promise<object> {
  const url = await configuredUrl();
  if (url === undefined) return definition;
  return JSON.parse(JSON.stringify(definition).replaceAll(shownBaseUrl, url));
}
