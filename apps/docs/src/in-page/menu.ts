/** The list of pages, which a phone opens on demand. */
export function menu(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-menu]");
  button?.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
  });
}
