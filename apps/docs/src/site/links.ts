/** Links between the pages, which are relative so that the site works at any address and from a disk. */

/**
 * The address of a file or page of the site as a page writes it.
 *
 * @param from path of the page below the site's root; "" is the landing page, "guides/keys/" a page in a folder
 * @param to path of what is linked to, with its fragment if it has one
 * @example
 * relativeLink("guides/keys/", "reference/#/blocks/lookupblock"); // "../../reference/#/blocks/lookupblock"
 */
export function relativeLink(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up}${to}` || "./";
}

/**
 * Path of a page's Markdown face.
 *
 * @example
 * markdownPath("guides/keys/"); // "guides/keys.md"
 */
export function markdownPath(path: string): string {
  return path === "" ? "index.md" : `${path.replace(/\/$/, "")}.md`;
}
