/** The button that opens the search, and its keys: / and, where nobody else has it, Ctrl+K. */
declare global {
  /** Set by the script of the search. */
  var showSearch: (() => void) | undefined;
}

/** Makes the button work; the search itself is loaded when it is first asked for. */
export function searchButton(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  if (!button) return;
  const open = (): void => {
    if (globalThis.showSearch) globalThis.showSearch();
    else load(button.dataset["search"] ?? "");
  };
  button.addEventListener("click", open);
  const hasOwn = document.body.classList.contains("at-reference");
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    const slash = event.key === "/" && !typing;
    const ctrlK = event.key === "k" && (event.ctrlKey || event.metaKey) && !hasOwn;
    if (!slash && !ctrlK) return;
    event.preventDefault();
    open();
  });
}

/** A second press while the script is on its way asks for nothing more. */
function load(address: string): void {
  if (document.querySelector(`script[src="${address}"]`)) return;
  const script = document.createElement("script");
  script.src = address;
  // One that did not come may come when it is asked for again.
  script.addEventListener("error", () => script.remove());
  document.head.append(script);
}
