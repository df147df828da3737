/** Relative links between the pages, so that the site works at any address and from a disk. */

/**
 * The relative link from a page to another page or a file.
 *
 * @param from path of the page below the site's root; "" is the landing page, "guides/keys/" a page in a folder
 * @param to path of the target, with the fragment
 * @example
 * relativeLink("guides/keys/", "reference/#/blocks/lookupblock"); // "../../reference/#/blocks/lookupblock"
 */
export function relativeLink(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up}${to}` || "./";
}

/**
 * Path of the Markdown version of a page.
 *
 * @example
 * markdownPath("guides/keys/"); // "guides/keys.md"
 */
export function markdownPath(path: string): string {
  return path === "" ? "index.md" : `${path.replace(/\/$/, "")}.md`;
}
