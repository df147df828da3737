/** The script of the page with the whole contract: starts Redoc, corrects links, adds accessible names and prints every operation. */

interface Redoc {
  hydrate(definition: object, options: object, element: HTMLElement | null): Promise<void>;
}

const data = document.getElementById("reference-data");
const interactions = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart", "scroll", "focusin", "hashchange"];
const waiting = new AbortController();

/** Redoc's script blocks a phone for seconds, so it waits for an interaction, or for a route in the address, which is not prerendered. */
async function start(): Promise<void> {
  if (waiting.signal.aborted) return;
  waiting.abort();
  const { hydrate }: Redoc = await import(new URL(data?.dataset["redoc"] ?? "", location.href).href);
  const { definition, options } = JSON.parse(data?.textContent ?? "{}");
  const top = scrollY;
  await hydrate(definition, options, document.getElementById("redoc"));
  if (location.hash === "") keepScrollPosition(top);
}

/** Undoes the jump to the top that Redoc makes some frames after it started. */
function keepScrollPosition(top: number, framesLeft = 60): void {
  if (scrollY === 0 && top > 0) scrollTo({ top, behavior: "instant" });
  else if (framesLeft > 0) requestAnimationFrame(() => keepScrollPosition(top, framesLeft - 1));
}

/** The switch between one column and two. */
const layoutSwitch =
  '#redoc span:has(> [data-component-name="Tooltip/Tooltip"] > [data-component-name$="/HorizontalViewIcon"])';

const attributes: readonly (readonly [selector: string, attributes: Readonly<Record<string, string>>])[] = [
  ["#redoc .menu-content", { role: "navigation", "aria-label": "Operations" }],
  [layoutSwitch, { role: "button", tabindex: "0", "aria-label": "One column or two" }],
  // Headings of operations are h2, headings within are h4.
  ["#redoc h4", { "aria-level": "3" }],
  ["#redoc h5", { "aria-level": "4" }],
];

function addAccessibleNames(): void {
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

/** Redoc renders operations while the page scrolls, so that they are missing on paper: prints their pages in its place. */
function addPrintedPages(): void {
  const printed = document.createElement("div");
  printed.className = "printed-pages";
  for (const path of data?.dataset["pages"]?.split(" ") ?? []) {
    const address = new URL(path, location.href);
    // The browser prints as soon as this function returns.
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    const article = new DOMParser().parseFromString(request.responseText, "text/html").querySelector("article");
    for (const link of article?.querySelectorAll("a") ?? []) link.href = new URL(link.getAttribute("href") ?? "", address).href;
    if (article) printed.append(article);
  }
  document.getElementById("redoc")?.after(printed);
}

addEventListener("beforeprint", addPrintedPages);
addEventListener("afterprint", () => document.querySelector(".printed-pages")?.remove());
// Prerendered links are paths; Redoc's routes are fragments.
for (const link of document.querySelectorAll('#redoc a[href^="/"]')) link.setAttribute("href", `#${link.getAttribute("href")}`);
addAccessibleNames();
new MutationObserver(addAccessibleNames).observe(document.body, { childList: true, subtree: true });
addEventListener("keydown", (event) => {
  const { target, key } = event;
  // Redoc makes this element clickable without keyboard support.
  if ((key !== "Enter" && key !== " ") || !(target instanceof HTMLElement)) return;
  if (!target.matches(layoutSwitch)) return;
  event.preventDefault();
  target.click();
});
if (location.hash.startsWith("#/")) void start();
for (const name of interactions) addEventListener(name, () => void start(), { passive: true, signal: waiting.signal });
