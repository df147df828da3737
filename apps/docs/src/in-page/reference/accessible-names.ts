/** Adds roles, names and heading levels that Redoc's elements lack. A selector that an upgrade of Redoc breaks changes nothing. */

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
  // The headings of operations are h2, those within are h4.
  ["#redoc h4", { "aria-level": "3" }],
  ["#redoc h5", { "aria-level": "4" }],
  ['[data-testid="search-dialog"] input', { "aria-label": "Search the reference" }],
  ['[data-component-name="Search/SearchInput"] button', { "aria-label": "Empty the search box" }],
];

/** Adds the attributes now and whenever Redoc renders something. */
export function addAccessibleNames(): void {
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
