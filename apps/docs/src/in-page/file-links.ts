/** A disk has no index page of a folder, so links to folders get its name where the site is read from files. */
export function fileLinks(): void {
  if (location.protocol !== "file:") return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    if (link.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  }
}
