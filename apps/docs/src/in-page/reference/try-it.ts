/** Opens "Try it" links of the reference in a dialog with the playground. Ctrl-click and "Open as a page" use the normal page. */

/** Handles clicks on these links and on others to an operation in the playground. */
export function openPlaygroundInDialog(): void {
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
  const dialog = document.createElement("dialog");
  dialog.className = "try-it";
  dialog.setAttribute("aria-labelledby", "try-it-title");
  const title = document.createElement("h2");
  title.id = "try-it-title";
  const pageLink = document.createElement("a");
  pageLink.setAttribute("aria-label", "Open as a page");
  const label = document.createElement("span");
  label.textContent = "Open as a page ";
  // The style sheet hides the label on a phone, which has room for the arrow only.
  pageLink.append(label, "↗");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  const bar = document.createElement("div");
  bar.append(title, pageLink, close);
  const frame = document.createElement("iframe");
  frame.title = "Playground";
  dialog.append(bar, frame);
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
