/** The playground beside an operation: its links open it in a drawer, and in a page of its own where a reader asks for that. */

/** Opens such links in a drawer. */
export function tryIt(): void {
  const drawer = drawerIn(document.body);
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      const operation = link && playgroundOperation(link);
      if (!link || !operation || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      // Before Redoc's router sees the click.
      event.stopPropagation();
      drawer.open(link.href, operation);
    },
    { capture: true },
  );
}

/** The operation that a link to the playground names. */
function playgroundOperation({ href }: HTMLAnchorElement): string | null {
  const { pathname, searchParams } = new URL(href);
  return /\/playground\/(index\.html)?$/.test(pathname) ? searchParams.get("operation") : null;
}

function drawerIn(body: HTMLElement): { open(href: string, operation: string): void } {
  const dialog = document.createElement("dialog");
  dialog.className = "try-it";
  dialog.setAttribute("aria-labelledby", "try-it-title");
  const title = document.createElement("h2");
  title.id = "try-it-title";
  const alone = document.createElement("a");
  alone.setAttribute("aria-label", "Open as a page");
  const words = document.createElement("span");
  words.textContent = "Open as a page ";
  // On a phone there is room for the arrow alone.
  alone.append(words, "↗");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  const bar = document.createElement("div");
  bar.append(title, alone, close);
  const frame = document.createElement("iframe");
  frame.title = "Playground";
  dialog.append(bar, frame);
  dialog.addEventListener("click", ({ target }) => {
    // The dialog itself is what lies around its content.
    if (target === dialog) dialog.close();
  });
  // What was asked is forgotten, a key with it.
  dialog.addEventListener("close", () => frame.remove());
  body.append(dialog);
  return {
    open(href, operation) {
      title.textContent = `Try ${operation}`;
      alone.href = href;
      frame.src = href;
      dialog.append(frame);
      dialog.showModal();
    },
  };
}
