/** An entry of the search index: a section of a page, or an operation. Written by the build, read in the browser. */
export interface SearchEntry {
  /** Below the site's root, with the fragment. */
  path: string;
  /** The heading, or the id of the operation. */
  title: string;
  /** Title of the page. */
  page: string;
  text: string;
  /** Factor of its score; default: 1. */
  weight?: number;
}
